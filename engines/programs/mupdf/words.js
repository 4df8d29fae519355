// Words of a page, with those of comments and values of forms. Words of one line follow each other in reading order.
function wordsOf(page) {
  var words = []
  var word = null
  var spaced = true
  var line = 0
  function end() {
    if (word) {
      word.box = box(word.box[0], word.box[1], word.box[2], word.box[3])
      words.push(word)
    }
    word = null
  }
  page
    .toDisplayList()
    .toStructuredText('preserve-whitespace,preserve-images')
    .walk({
      beginLine: function () {
        end()
        line++
        spaced = true
      },
      endLine: end,
      onChar: function (character, origin, font, size, quad, colour) {
        if (/^[\s\u00a0\u200b]*$/.test(character)) {
          end()
          spaced = true
          return
        }
        var name = font.getName()
        var x0 = Math.min(quad[0], quad[2], quad[4], quad[6])
        var y0 = Math.min(quad[1], quad[3], quad[5], quad[7])
        var x1 = Math.max(quad[0], quad[2], quad[4], quad[6])
        var y1 = Math.max(quad[1], quad[3], quad[5], quad[7])
        var turn = Math.round((Math.atan2(quad[3] - quad[1], quad[2] - quad[0]) * 180) / Math.PI)
        var same =
          word &&
          word.font === name &&
          word.colour === colour &&
          word.turn === turn &&
          Math.abs(word.size - size) < 0.1 &&
          Math.abs((turn % 180 ? origin[0] : origin[1]) - word.base) < 0.5
        // Some programs write the spaces of Hebrew and Arabic elsewhere.
        var reach = size * (/[\u0590-\u08ff\ufb1d-\ufefc]/.test(character) ? 0.17 : 0.9)
        if (same && !turn && Math.max(x0 - word.box[2], word.box[0] - x1) > reach) {
          spaced = true
          same = false
        }
        if (same) {
          if (!turn && x1 < (word.box[0] + word.box[2]) / 2) word.back = true
          word.text += character
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
          box: [x0, y0, x1, y1],
          base: rounded(turn % 180 ? origin[0] : origin[1]),
          size: rounded(size),
          font: name,
          colour: colour,
          turn: turn,
          line: line,
          spaced: spaced,
        }
        if (font.isBold()) word.bold = true
        if (font.isItalic()) word.italic = true
        spaced = false
      },
    })
  end()
  return words
}
