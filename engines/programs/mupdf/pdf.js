// Opens a PDF, and finds what is in it. What is damaged counts as missing.

// Objects of a page that are visited.
var MOST_OBJECTS = 500

function opened(path) {
  var pdf = new PDFDocument(path)
  if (!pdf.needsPassword()) return pdf
  print(JSON.stringify({ code: 'ENCRYPTED_INPUT', message: 'The PDF asks for a password' }))
  quit(1)
}

function attempt(read, otherwise) {
  try {
    return read()
  } catch (_) {
    return otherwise
  }
}

// Visits the pictures that a page and the forms on it can draw. The page is given as an object of the PDF.
function visitPictures(page, visit) {
  var seen = 0
  function look(resources, depth) {
    var objects = resources && resources.get('XObject')
    if (!objects || depth > 4) return
    // MuPDF gives the name first, or last, depending on its version.
    objects.forEach(function (first, second) {
      var one = typeof first === 'string' ? second : first
      if (++seen > MOST_OBJECTS) return
      if (String(one.get('Subtype')) === '/Form') look(one.get('Resources'), depth + 1)
      else visit(one)
    })
  }
  look(page.get('Resources'), 0)
}
