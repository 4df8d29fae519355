-- Writes tables so that lightweight markups keep every cell. Without it, pandoc writes `[TABLE]` for those that pipe tables
-- cannot hold, and most of its writers do not escape the mark between cells.
local stringify = pandoc.utils.stringify

-- What stands for `|` in a cell, and for a line break, by format.
local MARKS = {
  markdown = { bar = '\\|', line = '<br>', code = '<code>%s</code>', html = true },
  ipynb = { bar = '\\|', line = '<br>', code = '<code>%s</code>', html = true, raw = 'markdown' },
  asciidoctor = { bar = '{vbar}', block = '\\|', raw = 'asciidoc' },
  mediawiki = { bar = '&#124;', code = '<code><nowiki>%s</nowiki></code>' },
  org = { bar = '\\vert{}', line = ' ', flat = true },
}
local marks = MARKS[FORMAT]
if not marks then return {} end

local function raw(text) return pandoc.RawInline(marks.raw or FORMAT, text) end

local function escaped(text)
  return (text:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;'):gsub('|', '&#124;'))
end

-- Splits a word at its bars.
local function word(str)
  if not str.text:find('|', 1, true) then return nil end
  local parts = {}
  for text, bar in (str.text .. '\0'):gmatch('([^|%z]*)(.)') do
    if text ~= '' then table.insert(parts, pandoc.Str(text)) end
    if bar == '|' then table.insert(parts, raw(marks.bar)) end
  end
  return parts
end

local inCell = {
  Str = word,
  SoftBreak = function() return pandoc.Space() end,
  LineBreak = function() return marks.line and raw(marks.line) or nil end,
  Code = function(code)
    if not code.text:find('|', 1, true) then return nil end
    if marks.code then return raw(marks.code:format(escaped(code.text))) end
    return word(code)
  end,
  CodeBlock = function(block)
    if marks.block then block.text = block.text:gsub('|', marks.block) end
    return block
  end,
  Math = function(math)
    if math.text:find('|', 1, true) then math.text = math.text:gsub('\\|', '\\Vert '):gsub('|', '\\vert ') end
    return math
  end,
}

-- The lines of a cell that has only text, without what groups its blocks.
local function lines(blocks, found)
  for _, block in ipairs(blocks) do
    if block.t == 'Para' or block.t == 'Plain' then table.insert(found, block.content)
    elseif block.t == 'LineBlock' then for _, line in ipairs(block.content) do table.insert(found, line) end
    elseif block.t == 'Div' then if not lines(block.content, found) then return nil end
    elseif block.t ~= 'Null' then return nil end
  end
  return found
end

-- Without breaks at the ends: spreadsheets write empty cells with one.
local function trimmed(inlines)
  local function is_blank(inline) return inline and (inline.t:match('Break$') or inline.t == 'Space') end
  local list = pandoc.List(inlines)
  while is_blank(list[1]) do list:remove(1) end
  while is_blank(list[#list]) do list:remove() end
  return list
end

local function joined(parts)
  local all = pandoc.List({})
  for index, part in ipairs(parts) do
    if index > 1 then all:insert(marks.line and raw(marks.line) or pandoc.LineBreak()) end
    all:extend(trimmed(part))
  end
  return all
end

local function rows_of(whole)
  local rows = pandoc.List({})
  rows:extend(whole.head.rows)
  for _, body in ipairs(whole.bodies) do
    rows:extend(body.head)
    rows:extend(body.body)
  end
  rows:extend(whole.foot.rows)
  return rows
end

-- Whether every cell is text in one place.
local function is_plain(rows)
  for _, row in ipairs(rows) do
    for _, cell in ipairs(row.cells) do
      if cell.col_span > 1 or cell.row_span > 1 or not lines(cell.contents, {}) then return false end
    end
  end
  return true
end

-- A table in HTML. An empty line would end it.
local function in_html(whole)
  whole = pandoc.walk_block(whole, {
    Note = function(note) return { pandoc.Str(' ('), pandoc.Str(stringify(note)), pandoc.Str(')') } end,
  })
  local html = pandoc.write(pandoc.Pandoc({ whole }), 'html')
  html = html:gsub('<colgroup>.-</colgroup>\n?', ''):gsub(' class="[a-z]+"', ''):gsub('\n\n', '\n&#10;')
  return pandoc.RawBlock(marks.raw or FORMAT, html .. '\n')
end

-- The lines of any blocks.
local function flattened(blocks, found)
  for _, block in ipairs(blocks) do
    if block.t == 'CodeBlock' then table.insert(found, { pandoc.Code((block.text:gsub('%s*\n%s*', ' '))) })
    elseif block.t == 'BulletList' or block.t == 'OrderedList' then
      for _, item in ipairs(block.content) do flattened(item, found) end
    elseif block.t == 'BlockQuote' or block.t == 'Div' then flattened(block.content, found)
    elseif block.t == 'Table' then
      for _, row in ipairs(rows_of(block)) do
        for _, cell in ipairs(row.cells) do flattened(cell.contents, found) end
      end
    else table.insert(found, pandoc.utils.blocks_to_inlines({ block }, { pandoc.Space() })) end
  end
  return found
end

-- Cells with lines only. A cell with blocks becomes its words where the format has no place for blocks.
local function simple(rows)
  for _, row in ipairs(rows) do
    for _, cell in ipairs(row.cells) do
      local found = lines(cell.contents, {})
      if not found and marks.flat then found = flattened(cell.contents, {}) end
      if found and (marks.line or #found <= 1) then
        cell.contents = #found == 0 and {} or { pandoc.walk_block(pandoc.Plain(joined(found)), inCell) }
      else
        cell.contents = pandoc.walk_block(pandoc.Div(cell.contents), inCell).content
      end
    end
  end
end

-- Pipe tables begin with a header, which would be an empty row: the first row takes its place.
local function head_of(whole)
  local body = whole.bodies[1]
  if #whole.head.rows > 0 or not body or #body.head > 0 or #body.body < 2 then return end
  local rows = pandoc.List(body.body)
  whole.head.rows = { rows:remove(1) }
  body.body = rows
  whole.bodies[1] = body
end

return {
  {
    Table = function(whole)
      local rows = rows_of(whole)
      -- A frame around text.
      local caption = whole.caption.long
      if #rows == 1 and #rows[1].cells == 1 then return caption .. rows[1].cells[1].contents end
      whole.caption = { long = {} }
      local is_html = marks.html and not is_plain(rows)
      if not is_html then
        simple(rows)
        -- A pipe table needs no widths.
        if marks.html then head_of(whole) end
        if marks.html then whole.colspecs = whole.colspecs:map(function(spec) return { spec[1], nil } end) end
      end
      local blocks = pandoc.List({})
      blocks:extend(caption)
      blocks:insert(is_html and in_html(whole) or whole)
      return blocks
    end,
  },
}
