// The fields of a form, and for check boxes and radio buttons the sign of their state.
function fieldsOf(page, object) {
  var states = []
  var all = object.get('Annots')
  for (var index = 0; all && index < all.length; index++) {
    var one = all.get(index)
    if (String(one.get('Subtype')) === '/Widget') states.push(one.get('AS') ? String(one.get('AS')) : '')
  }
  return page.getWidgets().map(function (widget, index) {
    var kind = widget.getFieldType()
    var field = { box: widget.getRect().map(rounded) }
    if (kind === 'button') field.sign = ''
    if (kind !== 'checkbox' && kind !== 'radiobutton') return field
    var isOn = states[index] ? states[index] !== '/Off' : kind === 'checkbox' && !/^(Off)?$/.test(widget.getValue())
    field.sign = kind === 'checkbox' ? (isOn ? '\u2611' : '\u2610') : isOn ? '\u25c9' : '\u25ef'
    return field
  })
}
