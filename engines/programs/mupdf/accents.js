// Accents that are drawn over a letter, as TeX does, and the marks that combine with it.
var ACCENTS = {
  '`': '\u0300',
  '\u00b4': '\u0301',
  '^': '\u0302',
  '\u02c6': '\u0302',
  '~': '\u0303',
  '\u02dc': '\u0303',
  '\u00af': '\u0304',
  '\u02d8': '\u0306',
  '\u02d9': '\u0307',
  '\u00a8': '\u0308',
  '\u02da': '\u030a',
  '\u02dd': '\u030b',
  '\u02c7': '\u030c',
  '\u00b8': '\u0327',
  '\u02db': '\u0328',
}
var DOTLESS = { '\u0131': 'i', '\u0237': 'j' }

// Passes characters on to `put`, as MuPDF calls it, letters with the accents over them. `add` gets the mark of an
// accent that is drawn after its letter. `end` passes on an accent whose letter has not come.
function accented(put, add) {
  var held = null
  var letter = null
  function end() {
    var one = held
    held = null
    letter = null
    if (one) put.apply(null, one)
  }
  // Whether the middle of an accent is over a letter.
  function over(accent, base) {
    var middle = (accent[4][0] + accent[4][2]) / 2
    return accent[4][1] !== accent[4][3] || !base ? false : base[4][0] < middle && middle < base[4][2]
  }
  function onChar(character, origin, font, size, quad, colour) {
    var one = [character, origin, font, size, quad, colour]
    if (ACCENTS[character] && over(one, letter)) return add(ACCENTS[character])
    var accent = held && /[A-Za-z\u00c0-\u024f]/.test(character) && over(held, one) ? held[0] : ''
    if (accent) held = null
    end()
    if (ACCENTS[character]) held = one
    else {
      if (accent) one[0] = (DOTLESS[character] || character) + ACCENTS[accent]
      put.apply(null, one)
      letter = /[A-Za-z]/.test(character) ? one : null
    }
  }
  return { onChar: onChar, end: end }
}
