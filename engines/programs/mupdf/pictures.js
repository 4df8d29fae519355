// The original JPEG files of the page, by size in pixels; null where two have the same size.
function photosOf(object) {
  var found = {}
  function note(one) {
    if (String(one.get('Subtype')) !== '/Image') return
    var key = one.get('Width') + 'x' + one.get('Height')
    found[key] = key in found || !isPhoto(one) ? null : one
  }
  attempt(visitPictures.bind(null, object, note))
  return found
}

function isPhoto(object) {
  var filter = object.get('Filter')
  if (filter && filter.isArray()) filter = filter.length === 1 ? filter.get(0) : null
  if (!filter || String(filter) !== '/DCTDecode') return false
  if (object.get('SMask') || object.get('Mask') || object.get('Decode') || object.get('ImageMask')) return false
  var space = object.get('ColorSpace')
  if (space.isArray() && String(space.get(0)) === '/ICCBased') return [1, 3].indexOf(Number(space.get(1).get('N'))) >= 0
  return String(space) === '/DeviceRGB' || String(space) === '/DeviceGray'
}

// Writes an image to a file; returns its name.
function save(image, photos) {
  if (pictures >= MOST_PICTURES) return undefined
  return attempt(function () {
    var photo = photos[image.getWidth() + 'x' + image.getHeight()]
    var name = 'picture-' + (pictures + 1)
    if (photo) photo.readRawStream().save(folder + (name += '.jpg'))
    else pixels(image).saveAsPNG(folder + (name += '.png'))
    pictures++
    return name
  })
}

// An image with its soft mask as alpha.
function pixels(image) {
  var width = image.getWidth()
  var height = image.getHeight()
  var mask = image.getMask()
  if (mask && mask.getWidth() * mask.getHeight() > width * height) {
    width = mask.getWidth()
    height = mask.getHeight()
  }
  if (width * height > 64e6) throw new Error('too large')
  var pixmap = new Pixmap(DeviceRGB, [0, 0, width, height], true)
  pixmap.clear()
  var device = new DrawDevice(Identity, pixmap)
  if (mask) device.clipImageMask(mask, [width, 0, 0, height, 0, 0])
  device.fillImage(image, [width, 0, 0, height, 0, 0], 1)
  if (mask) device.popClip()
  device.close()
  return pixmap
}

// What a page shows in a box, as a picture.
function shown(page, area) {
  if (pictures >= MOST_PICTURES) return undefined
  return attempt(function () {
    var scale = Math.min(150 / 72, 4000 / Math.max(area[2] - area[0], area[3] - area[1]))
    var corners = [
      Math.floor(area[0] * scale),
      Math.floor(area[1] * scale),
      Math.ceil(area[2] * scale),
      Math.ceil(area[3] * scale),
    ]
    var pixmap = new Pixmap(DeviceRGB, corners, false)
    pixmap.clear(255)
    var device = new DrawDevice([scale, 0, 0, scale, 0, 0], pixmap)
    page.run(device, Identity)
    device.close()
    var name = 'picture-' + ++pictures + '.png'
    pixmap.saveAsPNG(folder + name)
    return name
  })
}
