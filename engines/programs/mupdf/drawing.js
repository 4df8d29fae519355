function colourOf(space, values) {
  var list = values || []
  function hex(value) {
    return ('0' + Math.round(Math.max(0, Math.min(1, value)) * 255).toString(16)).slice(-2)
  }
  if (list.length === 1) return '#' + hex(list[0]) + hex(list[0]) + hex(list[0])
  if (list.length === 3) return '#' + hex(list[0]) + hex(list[1]) + hex(list[2])
  if (list.length === 4) {
    var light = 1 - list[3]
    return '#' + hex((1 - list[0]) * light) + hex((1 - list[1]) * light) + hex((1 - list[2]) * light)
  }
  return '#808080'
}

function inked(values) {
  return Array.prototype.slice.call(values || [])
}

// Collects what is drawn on a page. Clips are kept as the smallest box around them.
function drawingOn(bounds, photos) {
  var found = { rules: [], boxes: [], art: [], pictures: [], dots: [], hidden: 0, text: 0 }
  var clips = [bounds]
  var paths = 0
  function within(area) {
    var clip = clips[clips.length - 1]
    var cut = [
      Math.max(area[0], clip[0]),
      Math.max(area[1], clip[1]),
      Math.min(area[2], clip[2]),
      Math.min(area[3], clip[3]),
    ]
    return cut[2] >= cut[0] && cut[3] >= cut[1] ? cut.map(rounded) : null
  }
  function subpaths(path, m) {
    var list = []
    var current = null
    function at(x, y) {
      return [m[0] * x + m[2] * y + m[4], m[1] * x + m[3] * y + m[5]]
    }
    path.walk({
      moveTo: function (x, y) {
        list.push((current = { points: [at(x, y)], curved: false }))
      },
      lineTo: function (x, y) {
        if (current) current.points.push(at(x, y))
      },
      curveTo: function (a, b, c, d, x, y) {
        if (!current) return
        current.points.push(at(x, y))
        current.curved = true
      },
      closePath: function () {
        if (current) current.points.push(current.points[0])
      },
    })
    return list
  }
  function around(points) {
    function side(index) {
      return points.map(function (point) {
        return point[index]
      })
    }
    var xs = side(0)
    var ys = side(1)
    return [Math.min.apply(null, xs), Math.min.apply(null, ys), Math.max.apply(null, xs), Math.max.apply(null, ys)]
  }
  function upright(points) {
    for (var i = 1; i < points.length; i++) {
      var dx = Math.abs(points[i][0] - points[i - 1][0])
      var dy = Math.abs(points[i][1] - points[i - 1][1])
      if (Math.min(dx, dy) > 1.5) return false
    }
    return true
  }
  // A line with its width, at most that of rules.
  function thick(area, half) {
    var size = [area[2] - area[0], area[3] - area[1]]
    var grown = Math.min(half, 1.5, Math.max(size[0], size[1]) / 4)
    var across = size[0] > size[1]
    var x = across ? 0 : grown
    var y = across ? grown : 0
    return [area[0] - x, area[1] - y, area[2] + x, area[3] + y]
  }
  function add(list, area, colour) {
    var cut = within(area)
    if (cut) list.push(cut.concat(colour))
  }
  // Whether a shape is as small as a bullet; it is kept as one.
  function dotted(area, ink) {
    var size = [area[2] - area[0], area[3] - area[1]]
    if (Math.min(size[0], size[1]) < 1.5 || Math.max(size[0], size[1]) > 9 || ink === '#ffffff') return false
    if (found.dots.length < 2000) found.dots.push(area.map(rounded))
    return true
  }
  function clip(area) {
    clips.push(within(area) || [0, 0, -1, -1])
  }
  function clipPath(path, m) {
    var points = []
    subpaths(path, m).forEach(function (one) {
      one.points.forEach(function (point) {
        points.push(point)
      })
    })
    clip(points.length && points.length < 5000 ? around(points) : clips[clips.length - 1])
  }
  function same() {
    clips.push(clips[clips.length - 1])
  }
  function picture(image, m) {
    var corners = [
      [m[4], m[5]],
      [m[0] + m[4], m[1] + m[5]],
      [m[2] + m[4], m[3] + m[5]],
      [m[0] + m[2] + m[4], m[1] + m[3] + m[5]],
    ]
    var area = within(around(corners))
    if (!area || area[2] - area[0] < 3 || area[3] - area[1] < 3) return
    var turned = m[0] < 0 || m[3] < 0 || Math.abs(m[1]) > 0.01 || Math.abs(m[2]) > 0.01
    found.pictures.push({ box: area, image: turned ? null : image, photos: photos })
  }
  var device = {
    fillPath: function (path, even, m, space, colour, alpha) {
      if (alpha === 0 || ++paths > MOST_PATHS) return
      var ink = colourOf(space, inked(colour))
      subpaths(path, m).forEach(function (one) {
        if (one.points.length < 3) return
        var area = around(one.points)
        if (dotted(area, ink)) return
        if (one.curved || one.points.length > 6 || !upright(one.points)) {
          if (ink !== '#ffffff') add(found.art, area, ink)
        } else if (Math.min(area[2] - area[0], area[3] - area[1]) <= 3) {
          if (ink !== '#ffffff') add(found.rules, area, ink)
        } else add(found.boxes, area, ink)
      })
    },
    strokePath: function (path, stroke, m, space, colour, alpha) {
      if (alpha === 0 || ++paths > MOST_PATHS) return
      var ink = colourOf(space, inked(colour))
      if (ink === '#ffffff') return
      var half = ((stroke && stroke.lineWidth) || 0) * Math.sqrt(Math.abs(m[0] * m[3] - m[1] * m[2])) * 0.5
      subpaths(path, m).forEach(function (one) {
        if (one.points.length < 2) return
        var area = around(one.points)
        if (one.curved && dotted(area, ink)) return
        if (one.curved || !upright(one.points)) return add(found.art, area, ink)
        for (var i = 1; i < one.points.length; i++)
          add(found.rules, thick(around([one.points[i - 1], one.points[i]]), half), ink)
      })
    },
    clipPath: function (path, even, m) {
      clipPath(path, m)
    },
    clipStrokePath: function (path, stroke, m) {
      clipPath(path, m)
    },
    clipText: same,
    clipStrokeText: same,
    clipImageMask: function (image, m) {
      same()
    },
    popClip: function () {
      if (clips.length > 1) clips.pop()
    },
    beginMask: same,
    endMask: function () {},
    beginGroup: function () {},
    endGroup: function () {},
    // Without beginTile: MuPDF ends when it was called some 60 times.
    fillText: function () {
      found.text++
    },
    strokeText: function () {
      found.text++
    },
    ignoreText: function () {
      found.hidden++
    },
    fillShade: function (shade, m) {},
    fillImage: picture,
    fillImageMask: function (image, m) {
      picture(null, m)
    },
  }
  return { device: device, found: found }
}
