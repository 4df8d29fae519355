-- Shows what stands above a reStructuredText beside its title, authors and date, such as contact, version and copyright:
-- pandoc takes these fields out of the text, and no format shows them.
local SHOWN = {
  title = true, subtitle = true, author = true, date = true, abstract = FORMAT ~= 'plain' and FORMAT ~= 'rtf', lang = true, dir = true, keywords = true,
  description = true, subject = true,
}
local ORDER = { 'organization', 'contact', 'address', 'version', 'status', 'revision', 'copyright' }

local function inlines(value)
  local kind = pandoc.utils.type(value)
  if kind == 'Inlines' then return value end
  if kind == 'Blocks' then return pandoc.utils.blocks_to_inlines(value, { pandoc.Space() }) end
  return pandoc.Inlines(pandoc.utils.stringify(value))
end

local function line(name, value)
  local label = name:sub(1, 1):upper() .. name:sub(2) .. ':'
  return pandoc.List({ pandoc.Strong({ pandoc.Str(label) }), pandoc.Space() }) .. inlines(value)
end

function Pandoc(document)
  local meta = document.meta
  if not (PANDOC_STATE.input_files[1] or ''):match('%.rst$') or meta['facts-remove'] then return nil end
  local names, rest = pandoc.List(), pandoc.List()
  for _, name in ipairs(ORDER) do
    if meta[name] then names:insert(name) end
  end
  for name in pairs(meta) do
    if not SHOWN[name] and not name:match('^facts%-') and not names:includes(name) then rest:insert(name) end
  end
  rest:sort()
  local lines = pandoc.List()
  for _, name in ipairs(names .. rest) do
    lines:insert(line(name, meta[name]))
    meta[name] = nil
  end
  if #lines > 0 then document.blocks:insert(1, pandoc.LineBlock(lines)) end
  document.meta = meta
  return document
end
