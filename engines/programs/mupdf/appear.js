// `mutool run appear.js INPUT OUTPUT`: gives comments without an appearance the one that viewers draw. MuPDF runs ES5
// only.
var pdf = new PDFDocument(scriptArgs[0])
var count = pdf.countPages()

function draw(annotation) {
  if (annotation.getObject().get('AP')) return
  try {
    // MuPDF draws only what has changed.
    annotation.setContents(annotation.getContents())
    annotation.update()
  } catch (_) {
    // Comments of unknown kinds, or without a place, stay without one.
  }
}

var number
for (number = 0; number < count; number++) pdf.loadPage(number).getAnnotations().forEach(draw)
pdf.save(scriptArgs[1], '')
