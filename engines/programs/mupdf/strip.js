// `mutool run strip.js INPUT OUTPUT`: rewrites a PDF without what describes it, in its own script dialect (ES5).
// Saving anew drops every earlier revision and every object that nothing points at any more.
var pdf = new PDFDocument(scriptArgs[0])
if (pdf.needsPassword()) {
  print('the file asks for a password')
  quit(1)
}

function resolved(number) {
  try {
    return pdf.newIndirect(number, 0).resolve()
  } catch (_) {
    return null // a damaged object is left out of the new file
  }
}

// XMP may describe pages, pictures and fonts too, and so may what editors keep for themselves.
function forget(object) {
  if (!object || !(object.isDictionary() || object.isStream())) return
  if (object.get('Metadata')) object.delete('Metadata')
  if (object.get('PieceInfo')) object.delete('PieceInfo')
}

var count = pdf.countObjects()
var number
for (number = 1; number < count; number++) forget(resolved(number))
pdf.getTrailer().delete('Info')
pdf.save(scriptArgs[1], 'garbage=compact,compress')
