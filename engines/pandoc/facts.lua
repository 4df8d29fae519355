-- What describes a document, on its way through pandoc. Told by metadata of the command line, which it consumes:
-- facts-title, -author, -subject and -keywords stand in where the document itself says nothing; facts-remove drops
-- all that describes it, and facts-visible keeps a title that stands in the text as a heading.
local stringify = pandoc.utils.stringify

local function escaped(text)
  return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('"', '&quot;'))
end

function Pandoc(document)
  local meta = document.meta
  local visible, remove = meta['facts-visible'], meta['facts-remove']
  local facts = {}
  for _, name in ipairs({ 'title', 'author', 'subject', 'keywords' }) do
    facts[name], meta['facts-' .. name] = meta['facts-' .. name], nil
  end
  meta['facts-visible'], meta['facts-remove'] = nil, nil

  if remove then
    if visible and meta.title then
      document.blocks:insert(1, pandoc.Header(1, pandoc.utils.type(meta.title) == 'Inlines' and meta.title or stringify(meta.title)))
    end
    document.meta = pandoc.Meta({})
    -- Without a title, pandoc would take the name of the file for one.
    if FORMAT:match('^html') then document.meta.pagetitle = '\u{200b}' end
    return document
  end

  for name, value in pairs(facts) do
    if not meta[name] then meta[name] = value end
  end
  if FORMAT:match('^html') and meta.subject then
    local tag = '<meta name="subject" content="' .. escaped(stringify(meta.subject)) .. '" />'
    meta['header-includes'] = pandoc.MetaBlocks({ pandoc.RawBlock('html', tag) })
  end
  return document
end
