-- Reads FictionBook. Pandoc's own reader skips tables, and words where these books should not have any.
local function has(words, word) return words:find(' ' .. word .. ' ', 1, true) end
local LINES, SIGNED = ' p v subtitle ', ' poem cite epigraph '
local GROUPS = ' body section title epigraph annotation poem stanza cite empty-line '
local WITHIN = ' strong emphasis style a strikethrough sub sup code image '
local BLOCKS = ' li ul ol dl dt dd div pre blockquote center h1 h2 h3 h4 h5 h6 '
local OF_HTML = { emphasis = 'em', strikethrough = 's', style = 'span', image = 'img' }
-- The frontiers end and begin names as a whole: of a long one, each letter would else be tried.
local TAG, MARK = '<(/?)([%w:._-]+)%f[^%w:._-]([^<>]-)(/?)>', '\u{E0F0}'

local function as_code(whole)
  local page = whole:gsub(TAG, function(closing, name, rest, empty)
    rest = name == 'image' and rest:gsub('%f[%w:][%w:]*href="#?', 'src="') or rest:gsub('%f[%w]%w+:href=', 'href=')
    return '<' .. closing .. (OF_HTML[name] or name) .. rest .. empty .. '>'
  end)
  return '<p><code>' .. MARK .. page:gsub('&', '&amp;'):gsub('<', '&lt;'):gsub('>', '&gt;') .. '</code></p>'
end

-- Puts words outside of lines into lines, and takes out the tags of unknown elements.
local function known(bodies)
  local open = {}
  local function start(name, tag, line, before)
    table.insert(open, { name = name, line = line, after = before })
    return (before ~= '' and '</' .. before .. '>' or '') .. tag
  end
  return (bodies:gsub(TAG, function(closing, name, rest, empty)
    local top = open[#open] or { name = '', line = '' }
    local tag = '<' .. closing .. name .. rest .. empty .. '>'
    if closing ~= '' then
      local one = table.remove(open) or { name = name, after = '' }
      return (one.name ~= '' and '</' .. one.name .. '>' or '') .. (one.after ~= '' and '<' .. one.after .. '>' or '')
    end
    -- A line goes on only where nothing within it is open.
    local parted = has(WITHIN, top.name) and '' or top.line
    if has(WITHIN, name) and (name ~= 'a' or rest:find('href%s*=')) then
      if name == 'a' then tag = tag:gsub('%shref%s*=', ' xmlns:l="http://www.w3.org/1999/xlink" l:href=') end
      return empty ~= '' and tag or start(name, tag, top.line, '')
    end
    if empty ~= '' then return (has(LINES, name) or has(GROUPS, name)) and tag or ' ' end
    if has(GROUPS, name) then return start(name, tag, '', parted) end
    local is_signed = has(SIGNED, top.name) and (name == 'text-author' or name == 'date')
    if has(LINES, name) or is_signed then return start(name, tag, name, parted) end
    if top.line ~= '' and (parted == '' or not has(BLOCKS, name)) then return start('', '', top.line, '') end
    return start('p', name == 'li' and '<p>• ' or '<p>', 'p', parted)
  end))
end

-- Changes each part between a mark and an end. What has no end is not searched again.
local function changed_parts(text, mark, last, change)
  local parts, at = {}, 1
  while true do
    local from = text:find(mark, at)
    local to = from and select(2, text:find(last, from, true))
    if not to then return table.concat(parts) .. text:sub(at) end
    table.insert(parts, text:sub(at, from - 1) .. change(text:sub(from, to)))
    at = to + 1
  end
end

-- Puts the words of notes that notes refer to into those: pandoc knows notes of the text only. They add `left` letters at most.
local function with_inner_notes(bodies)
  local notes, left = {}, 1000000
  local function each_note(change)
    return changed_parts(bodies, '<section%s', '</section>', function(note)
      local attributes = note:match('^<section([^<>]*)>') or ''
      local id = attributes:match('%sid%s*=%s*"([^"]*)"')
      return id and change(note, id) or note
    end)
  end
  each_note(function(note, id)
    local words = changed_parts(note, '<title[%s>]', '</title>', function() return '' end):gsub('<[^<>]*>', ' ')
    notes[id] = words:gsub('%s+', ' '):match('^ ?(.-) ?$')
  end)
  return each_note(function(note, id)
    return (note:gsub('<a(%s[^<>]*)>([^<>]*)</a>', function(attributes, label)
      local other = attributes:find('type%s*=%s*"note"') and attributes:match('href%s*=%s*"#([^"]*)"')
      local words = other ~= id and notes[other]
      if not words or #words > left then return nil end
      left = left - #words
      return label .. ' (' .. words .. ')'
    end))
  end)
end

function Reader(input)
  local book = changed_parts(tostring(input), '<!%-%-', '-->', function() return '' end)
  local from = book:find('<body[%s>]')
  local to = from and book:match('^.*</body>()', from)
  if to then
    -- The cover stands before the text, and is no metadata.
    local picture = ''
    local head = changed_parts(book:sub(1, from - 1), '<coverpage%s*>', '</coverpage>', function(cover)
      picture = cover:match('<[%w:]*image%s[^<>]*/>') or picture
      return ''
    end)
    local bodies = known(changed_parts(book:sub(from, to - 1), '<table[%s>]', '</table>', as_code))
    local after = bodies:find('<body[^<>]*name%s*=%s*["\'](notes)["\']') or #bodies + 1
    bodies = bodies:sub(1, after - 1) .. with_inner_notes(bodies:sub(after))
    book = head .. bodies:gsub('^<body[^<>]*>', function(body) return body .. picture end) .. book:sub(to)
  end
  local read = pandoc.read(book, 'fb2')
  local function tables(para)
    local code = #para.content == 1 and para.content[1].t == 'Code' and para.content[1].text or ''
    local page = code:match('^' .. MARK .. '(.*)$')
    return page and pandoc.read(page, 'html').blocks or nil
  end
  read.blocks = pandoc.walk_block(pandoc.Div(read.blocks), { Para = tables }).content
  return read
end
