// `mutool run strip.js INPUT OUTPUT`: rewrites a PDF without what describes it, in its own script dialect (ES5).
// Saving anew drops every earlier revision and every object that nothing points at any more.
var document = new PDFDocument(scriptArgs[0])
if (document.needsPassword()) {
  print('the file asks for a password')
  quit(1)
}
document.getTrailer().delete('Info')
var count = document.countObjects()
for (var number = 1; number < count; number++) {
  var object
  try {
    object = document.newIndirect(number, 0).resolve()
  } catch (_) {
    continue // a damaged object is left out of the new file
  }
  if (!object || !(object.isDictionary() || object.isStream())) continue
  // XMP may describe pages, pictures and fonts too, and so may what editors keep for themselves.
  var keys = ['Metadata', 'PieceInfo']
  for (var index = 0; index < keys.length; index++) if (object.get(keys[index])) object.delete(keys[index])
}
document.save(scriptArgs[1], 'garbage=compact,compress')
