// `mutool run read.js INPUT OUTPUT`: writes what is on the pages of a PDF as lines of JSON: the document, then each
// page with words, rules, boxes, pictures and links. Pictures are files beside the output. MuPDF runs ES5 only. Lengths
// are in points from the top left of the page.
var MOST_PATHS = 20000
var MOST_PICTURES = 400
// Words of a page that are compared with each of its figures.
var MOST_WORDS = 5000
// Pages that are shown as a whole at most.
var MOST_WHOLE = 50

var folder = scriptArgs[1].replace(/[^/]*$/, '')
var output = new Buffer()
var pictures = 0
var whole = 0

var own = scriptPath.replace(/[^/]*$/, '')
;['pdf', 'accents', 'words', 'fields', 'pictures', 'drawing'].forEach(function (name) {
  load(own + name + '.js')
})

var pdf = opened(scriptArgs[0])

function rounded(number) {
  return Math.round(number * 100) / 100
}

function box(x0, y0, x1, y1) {
  return [rounded(Math.min(x0, x1)), rounded(Math.min(y0, y1)), rounded(Math.max(x0, x1)), rounded(Math.max(y0, y1))]
}

function titlesOf(entries, level, found) {
  ;(entries || []).forEach(function (entry) {
    if (entry.title) found.push({ title: entry.title, level: level, page: entry.page })
    titlesOf(entry.down, level + 1, found)
  })
  return found
}

// Vector drawings that are no rules of tables: areas of curves and slants that lie together.
function figuresOf(art, words, width, height) {
  var areas = []
  art.slice(0, 3000).forEach(function (item) {
    var area = item.slice(0, 4)
    for (var i = areas.length - 1; i >= 0; i--) {
      var other = areas[i]
      var apart =
        area[0] > other.box[2] + 12 ||
        area[2] < other.box[0] - 12 ||
        area[1] > other.box[3] + 12 ||
        area[3] < other.box[1] - 12
      if (apart) continue
      area = [
        Math.min(area[0], other.box[0]),
        Math.min(area[1], other.box[1]),
        Math.max(area[2], other.box[2]),
        Math.max(area[3], other.box[3]),
      ]
      item.count = (item.count || 1) + other.count
      areas.splice(i, 1)
    }
    areas.push({ box: area, count: item.count || 1 })
  })
  var some = words.slice(0, MOST_WORDS)
  return areas.filter(function (area) {
    var size = [area.box[2] - area.box[0], area.box[3] - area.box[1]]
    if (area.count < 3 || size[0] < 30 || size[1] < 30 || size[0] * size[1] > 0.7 * width * height) return false
    var inside = some.filter(function (word) {
      var box = word.box
      return box[0] >= area.box[0] && box[2] <= area.box[2] && box[1] >= area.box[1] && box[3] <= area.box[3]
    }).length
    return inside < 40 || inside < 0.3 * some.length
  })
}

function read(number) {
  var page = pdf.loadPage(number)
  var bounds = page.bound()
  var words = wordsOf(page)
  var drawing = drawingOn(bounds, photosOf(pdf.findPage(number)))
  attempt(function () {
    page.run(drawing.device, Identity)
  })
  var found = drawing.found
  var figures = figuresOf(found.art, words, bounds[2] - bounds[0], bounds[3] - bounds[1])
  var images = found.pictures.map(function (one) {
    return { box: one.box, src: one.image ? save(one.image, one.photos) : shown(page, one.box) }
  })
  // A page of outlines alone is shown as a whole.
  var drawn = found.art.length + found.rules.length + found.boxes.length > 0
  if (words.length === 0 && images.length === 0 && drawn && whole++ < MOST_WHOLE) {
    figures = []
    images.push({ box: bounds.map(rounded), src: shown(page, bounds) })
  }
  var links = attempt(function () {
    return page.getLinks().map(function (link) {
      return { box: link.bounds.map(rounded), uri: link.uri }
    })
  }, [])
  return {
    bounds: bounds.map(rounded),
    fields: attempt(fieldsOf.bind(null, page, pdf.findPage(number)), []),
    words: words,
    rules: found.rules,
    boxes: found.boxes,
    dots: found.dots,
    figures: figures.map(function (one) {
      return { box: one.box.map(rounded), src: shown(page, one.box) }
    }),
    pictures: images,
    links: links,
    hidden: found.hidden > 0 && found.text === 0,
  }
}

function line(value) {
  output.writeLine(JSON.stringify(value))
}

function outline() {
  return titlesOf(pdf.loadOutline(), 1, [])
}

var count = pdf.countPages()
function facts() {
  return { title: pdf.getMetaData('info:Title'), author: pdf.getMetaData('info:Author') }
}
line({ pages: count, outline: attempt(outline, []), facts: attempt(facts, {}) })
var readable = 0
for (var number = 0; number < count; number++) {
  var one = attempt(read.bind(null, number), null)
  if (one) readable++
  line(one)
}
if (count > 0 && readable === 0) {
  print(JSON.stringify({ code: 'CONVERSION_ERROR', message: 'No page of the PDF could be read' }))
  quit(1)
}
output.save(scriptArgs[1])
