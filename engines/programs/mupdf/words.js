// Words of a page, with those of comments and values of forms. Words of one line follow each other in reading order.
// MuPDF takes the quarter of an em between East Asian and other letters for a space: there, only typed ones count.
function wordsOf(page) {
  var list = page.toDisplayList()
  var words = wordsIn(list, 'preserve-whitespace,preserve-images', 0.9)
  var isEastAsian = words.some(function (word) {
    return /[\u3040-\u30ff\u3400-\u9fff]/.test(word.text)
  })
  return isEastAsian ? wordsIn(list, 'preserve-whitespace,preserve-images,inhibit-spaces', 0.35) : words
}

// Fonts with letters of one width that do not say so.
var FIXED = /mono|nimbusmon|courier|consol|typewriter|(cm|ec|sf|tx)tt|menlo|monaco|(source|fira|cascadia) ?code/i

// `widest` is the widest gap within a word, in sizes of its letters.
function wordsIn(list, options, widest) {
  var words = []
  var word = null
  var spaced = true
  var line = 0
  // Whether a space was typed at the end of the line before, or at the beginning of this one.
  var parted = false
  var first = true
  function end() {
    if (word) {
      if (!word.back) word.text = word.turned
      delete word.turned
      delete word.sign
      delete word.at
      word.box = box(word.box[0], word.box[1], word.box[2], word.box[3])
      words.push(word)
    }
    word = null
  }
  var letters = accented(put, function (mark) {
    word.text += mark
    word.turned += mark
  })
  list.toStructuredText(options).walk({
    beginLine: function () {
      end()
      line++
      spaced = true
      first = true
    },
    endLine: function () {
      letters.end()
      end()
    },
    onChar: letters.onChar,
  })
  end()
  return words

  function put(character, origin, font, measure, quad, colour) {
    // Letters that overlap are as wide as to the next one: some fonts give one width for all.
    if (word && !word.turn && origin[0] > word.at && origin[0] < word.box[2] - 0.2 * word.size) word.box[2] = origin[0]
    if (/^[\s\u00a0\u200b]*$/.test(character)) {
      end()
      spaced = true
      parted = true
      return
    }
    var name = font.getName()
    var x0 = Math.min(quad[0], quad[2], quad[4], quad[6])
    var y0 = Math.min(quad[1], quad[3], quad[5], quad[7])
    var x1 = Math.max(quad[0], quad[2], quad[4], quad[6])
    var y1 = Math.max(quad[1], quad[3], quad[5], quad[7])
    var turn = Math.round((Math.atan2(quad[3] - quad[1], quad[2] - quad[0]) * 180) / Math.PI)
    // Fonts whose letters are procedures have sizes of their own.
    var high = turn % 180 ? x1 - x0 : y1 - y0
    var size = high > 0 && high < 0.5 * measure ? high / 1.2 : measure
    var same =
      word &&
      word.font === name &&
      word.colour === colour &&
      word.turn === turn &&
      Math.abs(word.size - size) < 0.1 &&
      Math.abs((turn % 180 ? origin[0] : origin[1]) - word.base) < 0.5
    // Some programs write the spaces of Hebrew and Arabic elsewhere.
    var isRtl = /[\u0590-\u08ff\ufb1d-\ufefc]/.test(character)
    var reach = size * (isRtl ? 0.17 : widest)
    if (same && !turn && Math.max(x0 - word.box[2], word.box[0] - x1) > reach) {
      spaced = true
      same = false
    }
    if (same) {
      if (!turn && x1 < (word.box[0] + word.box[2]) / 2) word.back = true
      // The further letters of a ligature have no width. Where letters stand from left to right, they are at its left.
      if (!isRtl || (turn % 180 ? y1 - y0 : x1 - x0) > 0.01 * size) word.sign = word.turned.length
      word.turned = word.turned.slice(0, word.sign) + character + word.turned.slice(word.sign)
      word.text += character
      word.at = origin[0]
      word.box = [
        Math.min(word.box[0], x0),
        Math.min(word.box[1], y0),
        Math.max(word.box[2], x1),
        Math.max(word.box[3], y1),
      ]
      return
    }
    end()
    word = {
      text: character,
      turned: character,
      sign: 0,
      at: origin[0],
      box: [x0, y0, x1, y1],
      base: rounded(turn % 180 ? origin[0] : origin[1]),
      size: rounded(size),
      font: name,
      colour: colour,
      turn: turn,
      line: line,
      spaced: spaced,
    }
    if (first && parted) word.parted = true
    first = false
    parted = false
    if (font.isBold()) word.bold = true
    if (font.isItalic()) word.italic = true
    if (font.isMono() || FIXED.test(name)) word.mono = true
    spaced = false
  }
}
