// `mutool run survey.js INPUT`: prints JSON: what is known of a PDF, then of each of its pages, on lines of their own.
// MuPDF runs ES5 only.
// The share of a page that pictures cover is counted in so many squares each way.
var SQUARES = 16
// Pages with more letters are no scans with a stamp, a number or a line of a program.
var FEW_LETTERS = 300
// Glyphs of fonts without a table of characters.
var UNKNOWN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd-\uffff]/
// East Asian letters.
var IDEOGRAPH = /[\u2e80-\u2fdf\u3005-\u30ff\u3400-\u9fff\uf900-\ufaff]/
// Letters and digits of every script; not spaces, punctuation and private signs.
var SIGN = /^[\s\u00a0\u200b!-/:-@[-`{-\u00bf\u00d7\u00f7\u2000-\u2bff\u3000-\u303f\ue000-\uf8ff]$/

load(scriptPath.replace(/[^/]*$/, '') + 'pdf.js')

var pdf = opened(scriptArgs[0])

// East Asian letters, those right below the one before them, Arabic ones within a ligature, and all letters.
var written = { ideographs: 0, below: 0, joined: 0, letters: 0 }
// By name of the font: its letters, and its glyphs without a letter that stand beside letters.
var fonts = {}

// Counts letters, and glyphs without a letter, with those of comments and values of forms.
function lettersOf(page) {
  var found = { letters: 0, unknown: 0 }
  var before = ''
  var open = ''
  var last = null
  function isBelow(origin, size) {
    var step = last ? [Math.abs(origin[0] - last[0]), origin[1] - last[1]] : [size, 0]
    return step[0] < 0.2 * size && step[1] > 0.7 * size && step[1] < 1.5 * size
  }
  function end() {
    before = ''
    open = ''
  }
  page
    .toDisplayList()
    .toStructuredText('preserve-whitespace')
    .walk({
      beginLine: end,
      onChar: function (character, origin, font, size, quad) {
        var name = font.getName()
        var seen = (fonts[name] = fonts[name] || { letters: 0, beside: 0 })
        var isUnknown = UNKNOWN.test(character)
        var isLetter = !isUnknown && !SIGN.test(character)
        if (isUnknown) found.unknown++
        if (/[\u0620-\u064a\u0671-\u06d3]/.test(character) && quad[2] - quad[0] < 0.01 * size) written.joined++
        if (isLetter) {
          found.letters++
          seen.letters++
          written.letters++
        }
        if (IDEOGRAPH.test(character)) {
          written.ideographs++
          if (isBelow(origin, size)) written.below++
          last = origin
        }
        if (before === name && isUnknown) seen.beside++
        else if (open === name && isLetter) seen.beside++
        open = isUnknown && before !== name ? name : ''
        before = isLetter ? name : ''
      },
    })
  return found
}

// The share of a page that its pictures cover.
function coverOf(page) {
  var bounds = page.bound()
  var size = [(bounds[2] - bounds[0]) / SQUARES, (bounds[3] - bounds[1]) / SQUARES]
  var taken = {}
  function cover(_, m) {
    var xs = [m[4], m[4] + m[0], m[4] + m[2], m[4] + m[0] + m[2]]
    var ys = [m[5], m[5] + m[1], m[5] + m[3], m[5] + m[1] + m[3]]
    var from = [Math.min.apply(null, xs) - bounds[0], Math.min.apply(null, ys) - bounds[1]]
    var to = [Math.max.apply(null, xs) - bounds[0], Math.max.apply(null, ys) - bounds[1]]
    for (var x = 0; x < SQUARES; x++)
      for (var y = 0; y < SQUARES; y++) {
        var centre = [(x + 0.5) * size[0], (y + 0.5) * size[1]]
        if (centre[0] >= from[0] && centre[0] <= to[0] && centre[1] >= from[1] && centre[1] <= to[1])
          taken[x + ',' + y] = 1
      }
  }
  page.run({ fillImage: cover, fillImageMask: cover }, Identity)
  return Object.keys(taken).length / (SQUARES * SQUARES)
}

// The pictures of a page, by number of their objects.
function picturesOf(object) {
  var names = []
  visitPictures(object, function (one) {
    names.push(String(one))
  })
  return names
}

function survey(number) {
  var page = pdf.loadPage(number)
  var found = lettersOf(page)
  if (found.letters > 0 && found.letters < FEW_LETTERS) {
    found.cover = attempt(coverOf.bind(null, page), 0)
    found.pictures = attempt(picturesOf.bind(null, pdf.findPage(number)), [])
  }
  return found
}

var count = pdf.countPages()
var pages = []
for (var number = 0; number < count; number++)
  pages.push(attempt(survey.bind(null, number), { letters: 1, unknown: 0 }))
var locked = pdf.getTrailer().get('Encrypt') != null
var vertical = written.below > 0.5 * written.ideographs && written.ideographs > 0.5 * written.letters
var turned = vertical || written.joined > 0.005 * written.letters
print(JSON.stringify({ locked: locked, repaired: pdf.wasRepaired(), turned: turned, fonts: fonts }))
pages.forEach(function (page) {
  print(JSON.stringify(page))
})
