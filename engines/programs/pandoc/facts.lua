-- Sets or removes a document's metadata. It is controlled by metadata from the command line, which it removes:
-- facts-title, facts-author, facts-subject and facts-keywords fill in missing values; facts-remove removes all metadata;
-- facts-visible says that the title was part of the text, where it becomes the first heading; facts-page says that the source is a
-- web page, of whose metadata only what describes it is kept; facts-name is the title of a page without one.
local stringify = pandoc.utils.stringify

-- Paper does not scroll: wrap wide tables, so that they are not cut.
local PRINTED = [[<style>@media print {
body { max-width: 46em; padding: 0; }
table { display: table; font-size: 85%; }
td, th { overflow-wrap: anywhere; }
}</style>]]

-- What describes a web page. The rest is for browsers and of programs.
local DESCRIBING = { 'title', 'subtitle', 'author', 'date', 'subject', 'description', 'keywords', 'abstract', 'lang', 'dir' }

local function described(meta)
  local kept = {}
  for _, name in ipairs(DESCRIBING) do
    if meta[name] and stringify(meta[name]) ~= '' then kept[name] = meta[name] end
  end
  return pandoc.Meta(kept)
end

-- Adds lines to the head of a document.
local function headed(meta, format, lines)
  meta['header-includes'] = pandoc.MetaBlocks({ pandoc.RawBlock(format, lines) })
  return meta
end

-- Text of RTF: letters beyond ASCII by their UTF-16 units (RTF 1.9.1, Unicode).
local function rtf(text)
  local function unit(code) return '\\u' .. (code > 32767 and code - 65536 or code) .. '?' end
  local units = {}
  for _, code in utf8.codes(text) do
    if code > 65535 then
      code = code - 65536
      table.insert(units, unit(55296 + code // 1024) .. unit(56320 + code % 1024))
    elseif code > 127 or code == 92 or code == 123 or code == 125 then
      table.insert(units, unit(code))
    else
      table.insert(units, string.char(code))
    end
  end
  return table.concat(units)
end

-- Takes what describes a page out of its text, where pandoc would show it. RTF has a place for it.
local function hidden(meta)
  local properties = ''
  for _, name in ipairs({ 'title', 'author', 'subject', 'keywords' }) do
    local text = meta[name] and stringify(meta[name]) or ''
    if text ~= '' then properties = properties .. '{\\' .. name .. ' ' .. rtf(text) .. '}' end
  end
  if FORMAT ~= 'rtf' or properties == '' then return pandoc.Meta({}) end
  return headed(pandoc.Meta({}), 'rtf', '{\\info' .. properties .. '}')
end

local function escaped(text)
  return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('"', '&quot;'))
end

-- Formats that show a title elsewhere than above their text, or not at all.
local UNTITLED = { markdown = true, textile = true, mediawiki = true, ipynb = true, icml = true }

local function inlines(value)
  return pandoc.utils.type(value) == 'Inlines' and value or pandoc.Inlines(stringify(value))
end

-- Puts a title that was part of the text above it, and the headings one level below.
local function titled(document, shown)
  local title, subtitle = document.meta.title, document.meta.subtitle
  document = pandoc.walk_block(pandoc.Div(document.blocks), {
    Header = function(header)
      header.level = math.min(header.level + 1, 6)
      return header
    end,
  })
  local blocks = pandoc.List(document.content)
  if shown then
    if subtitle then blocks:insert(1, pandoc.Para(inlines(subtitle))) end
    blocks:insert(1, pandoc.Header(1, inlines(title)))
  end
  return blocks
end

function Pandoc(document)
  local meta = document.meta
  local visible, remove, page, name = meta['facts-visible'], meta['facts-remove'], meta['facts-page'], meta['facts-name']
  local facts = {}
  for _, name in ipairs({ 'title', 'author', 'subject', 'keywords' }) do
    facts[name], meta['facts-' .. name] = meta['facts-' .. name], nil
  end
  meta['facts-visible'], meta['facts-remove'], meta['facts-page'], meta['facts-name'] = nil, nil, nil, nil
  if page then
    meta = described(meta)
    document.meta = meta
  end

  if visible and meta.title then
    -- Other formats show the title of a page or a text with headings on the first level.
    local html = FORMAT:match('^html')
    if remove or html or UNTITLED[FORMAT] then document.blocks = titled(document, remove or not html)
    elseif meta.subtitle and (FORMAT == 'asciidoctor' or FORMAT == 'org') then
      document.blocks:insert(1, pandoc.Para(inlines(meta.subtitle)))
    end
  end
  if remove then
    document.meta = pandoc.Meta({})
    -- Without a title, pandoc would use the file name.
    if FORMAT:match('^html') then
      document.meta.pagetitle = '\u{200b}'
      headed(document.meta, 'html', PRINTED)
    end
    return document
  end

  local html = FORMAT:match('^html')
  for key, value in pairs(facts) do
    -- Pandoc would show a title, but a property is not a part of the text.
    local place = html and key == 'title' and not meta.title and 'pagetitle' or key
    if not meta[place] then meta[place] = value end
  end
  -- Pandoc would write an author below a title that is not there.
  if FORMAT == 'asciidoctor' and meta.author and not meta.title then
    document.blocks:insert(1, pandoc.RawBlock('asciidoc', ':author: ' .. stringify(meta.author) .. '\n'))
    meta.author = nil
  end
  if html then
    -- Pandoc would show the title of a page, which is not a part of its text.
    if page and meta.title then meta.pagetitle, meta.title = stringify(meta.title), nil end
    local tag = meta.subject and '<meta name="subject" content="' .. escaped(stringify(meta.subject)) .. '" />\n' or ''
    headed(meta, 'html', tag .. PRINTED)
    if name and not meta.title and not meta.pagetitle then meta.pagetitle = stringify(name) end
  end
  document.meta = page and (FORMAT == 'rtf' or FORMAT == 'plain') and hidden(meta) or meta
  return document
end
