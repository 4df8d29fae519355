-- Reads the tables and line breaks that Markdown has in HTML. Pandoc would drop their tags in other formats.
local function is_html(element) return element.format and element.format:match('^html') end

-- How many tables a piece of HTML opens, less those that it closes.
local function depth(text)
  local _, opened = text:gsub('<[tT][aA][bB][lL][eE][%s>]', '')
  local _, closed = text:gsub('</[tT][aA][bB][lL][eE]%s*>', '')
  return opened - closed
end

local function html_of(block)
  if block.t == 'RawBlock' and is_html(block) then return block.text end
  return pandoc.write(pandoc.Pandoc({ block }), 'html')
end

function Blocks(blocks)
  local result = pandoc.List({})
  local index = 1
  while index <= #blocks do
    local block = blocks[index]
    local starts = block.t == 'RawBlock' and is_html(block) and block.text:match('^%s*<[tT][aA][bB][lL][eE][%s>]')
    local parts, open, last = {}, 0, index
    if starts then
      repeat
        local part = blocks[last]
        table.insert(parts, html_of(part))
        if part.t == 'RawBlock' then open = open + depth(part.text) end
        last = last + 1
      until open <= 0 or last > #blocks
    end
    if starts and open <= 0 then
      result:extend(pandoc.read(table.concat(parts, '\n'), 'html').blocks)
      index = last
    else
      result:insert(block)
      index = index + 1
    end
  end
  return result
end

function RawInline(inline)
  if is_html(inline) and inline.text:match('^<[bB][rR]%s*/?>$') then return pandoc.LineBreak() end
end
