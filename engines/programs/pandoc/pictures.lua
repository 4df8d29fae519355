-- Replaces images that are not available with their captions: otherwise pandoc would fail. Puts the others into Markdown, or
-- beside it.
local function within_reach(source)
  if source:match('^data:') then return true end
  if source:match('^%a[%w+.-]*:') or source:match('^//') then return false end
  if pandoc.mediabag.lookup(source) then return true end
  local file = io.open(source, 'rb')
  if file then file:close() end
  return file ~= nil
end

-- These writers load nothing. A link to a picture on the web is kept in what they write.
local LINKING = { markdown = true, rst = true, org = true, textile = true, mediawiki = true, asciidoctor = true }
LINKING.docbook5, LINKING.latex = true, true

local TYPES = { png = 'image/png', jpg = 'image/jpeg', jpeg = 'image/jpeg', gif = 'image/gif', svg = 'image/svg+xml' }
TYPES.webp, TYPES.bmp, TYPES.tif, TYPES.emf, TYPES.wmf = 'image/webp', 'image/bmp', 'image/tiff', 'image/emf', 'image/wmf'

local LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
-- Two letters for each 12 bits.
local PAIRS = {}
for index = 0, 4095 do
  local first, second = index >> 6, index & 63
  PAIRS[index] = LETTERS:sub(first + 1, first + 1) .. LETTERS:sub(second + 1, second + 1)
end
-- Bytes that are encoded at a time; a multiple of 3.
local CHUNK = 3 * 4096

-- RFC 4648, section 4.
local function base64(bytes)
  local chunks = {}
  for start = 1, #bytes, CHUNK do
    local parts = {}
    local last = math.min(start + CHUNK - 1, #bytes)
    for at = start, last - 2, 3 do
      local a, b, c = bytes:byte(at, at + 2)
      local group = a << 16 | b << 8 | c
      parts[#parts + 1] = PAIRS[group >> 12]
      parts[#parts + 1] = PAIRS[group & 4095]
    end
    local rest = (last - start + 1) % 3
    if rest > 0 then
      local a, b = bytes:byte(last - rest + 1, last)
      local group = a << 16 | (b or 0) << 8
      parts[#parts + 1] = PAIRS[group >> 12] .. (b and PAIRS[group & 4095]:sub(1, 1) or '=') .. '='
    end
    chunks[#chunks + 1] = table.concat(parts)
  end
  return table.concat(chunks)
end

-- The media type and the bytes of a picture.
local function content_of(source)
  if source:match('^data:') then
    local found, type, data = pcall(pandoc.mediabag.fetch, source)
    if found and type and #data > 0 then return type:match('^[^;]*'), data end
    return nil
  end
  local mime, bytes = pandoc.mediabag.lookup(source)
  if bytes then return mime, bytes end
  local file = io.open(source, 'rb')
  if not file then return nil end
  bytes = file:read('a')
  file:close()
  return TYPES[source:match('%.(%w+)$') or ''], bytes
end

-- Markdown is one file: its pictures are in it.
local function embedded(image)
  local mime, bytes = content_of(image.src)
  if not (mime and bytes) then return image.caption end
  image.src = 'data:' .. mime .. ';base64,' .. base64(bytes)
  return image
end

-- Where pictures become files. Markdown of this name will be in a zip, with its pictures in a folder.
local folder = (PANDOC_STATE.output_file or ''):match('^(.*/)[^/]*%.md%.zip$')
local EXTENSIONS = { ['image/jpeg'] = 'jpg', ['image/x-emf'] = 'emf', ['image/x-wmf'] = 'wmf' }
for extension, mime in pairs(TYPES) do
  if extension ~= 'jpeg' then EXTENSIONS[mime] = extension end
end
local written, count = {}, 0

-- Writes a picture as a file, once.
local function beside(image)
  if not written[image.src] then
    local mime, bytes = content_of(image.src)
    local extension = bytes and EXTENSIONS[mime]
    if not extension then return image.caption end
    count = count + 1
    local name = string.format('image-%03d.%s', count, extension)
    local file = assert(io.open(folder .. name, 'wb'))
    assert(file:write(bytes))
    assert(file:close())
    written[image.src] = 'images/' .. name
  end
  image.src = written[image.src]
  return image
end

function Image(image)
  local source = image.src
  if LINKING[FORMAT] and source:match('^https?://') then return nil end
  if not within_reach(source) then return image.caption end
  if folder then return beside(image) end
  if FORMAT == 'markdown' and not source:match('^data:') then return embedded(image) end
end

-- Removes frames, audio and video that are not available.
local function raw(element)
  if not element.format:match('html') then return nil end
  for name, source in element.text:gmatch('[%s"\'](%a+)%s*=%s*["\']([^"\']*)["\']') do
    local loads = name == 'src' or name == 'poster' or (name == 'href' and element.text:match('^%s*<link'))
    if loads and not within_reach(source) then return {} end
  end
end

RawBlock, RawInline = raw, raw
