// `mutool run strip.js INPUT OUTPUT`: rewrites a PDF without its metadata. MuPDF runs ES5 only.
// Saving drops earlier revisions and unused objects.
var pdf = new PDFDocument(scriptArgs[0])
if (pdf.needsPassword()) {
  print(JSON.stringify({ code: 'ENCRYPTED_INPUT', message: 'The file asks for a password' }))
  quit(1)
}

function resolved(number) {
  try {
    return pdf.newIndirect(number, 0).resolve()
  } catch (_) {
    return null // Damaged objects are left out of the new file.
  }
}

// Pages, pictures and fonts can have XMP and private data of editors too.
function forget(object) {
  if (!object || !(object.isDictionary() || object.isStream())) return
  if (object.get('Metadata')) object.delete('Metadata')
  if (object.get('PieceInfo')) object.delete('PieceInfo')
}

var count = pdf.countObjects()
var number
for (number = 1; number < count; number++) forget(resolved(number))
// MuPDF does not delete from the trailer of a file with a cross-reference stream, so the dictionary is emptied.
var keys = []
// MuPDF gives the key first, or last, depending on its version.
function note(first, second) {
  keys.push(typeof first === 'string' ? first : second)
}
function empty(object) {
  if (!object.isDictionary()) return
  object.forEach(note)
  for (number = 0; number < keys.length; number++) object.delete(keys[number])
}

var info = pdf.getTrailer().get('Info')
if (info) empty(info)
pdf.getTrailer().delete('Info')
pdf.save(scriptArgs[1], 'garbage=compact,compress')
