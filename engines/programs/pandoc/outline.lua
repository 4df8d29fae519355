-- Outlines (OPML) hold text under headings only, and no tables. Removes wrappers, adds a heading before text that has none,
-- and turns tables into lines.
if FORMAT ~= 'opml' then return {} end

local stringify = pandoc.utils.stringify

local function line(cells)
  local texts = {}
  for _, cell in ipairs(cells) do table.insert(texts, stringify(cell)) end
  return pandoc.Para(pandoc.Str(table.concat(texts, ' | ')))
end

return {
  { Div = function(wrapping) return wrapping.content end },
  {
    Table = function(whole)
      local simple = pandoc.utils.to_simple_table(whole)
      local lines = { line(simple.headers) }
      for _, row in ipairs(simple.rows) do table.insert(lines, line(row)) end
      return lines
    end,
  },
  {
    Pandoc = function(document)
      local first = document.blocks[1]
      if first and first.t ~= 'Header' then
        local title = document.meta.title and stringify(document.meta.title) or '…'
        document.blocks:insert(1, pandoc.Header(1, pandoc.Str(title)))
      end
      return document
    end,
  },
}
