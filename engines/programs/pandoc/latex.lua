-- Reads LaTeX, with the text of commands and environments that pandoc does not know, such as those of classes for letters
-- and curricula, which it would leave out: it gets definitions of them that show their arguments.
local ROUNDS = 4

-- Commands whose arguments are settings, definitions, marks for an index, or heads and feet of pages.
local SILENT = {
  '^re?new', '^new', '^provide', '^[dD]eclare', '^define', '^[gex]?def$', '^let$', '^set', '^[sS]et', '^add', '^use', '^At',
  '^pgf', '^tikz', '^fancy', '^[lcr]head$', '^[lcr]foot$', '^mark', '^pdf', '^index$', '^glossary', '^hyphenation$',
  '^hypersetup$', '^lstset$', '^bibliography', '^[cC]refname', '^typeout$', '^message$', '^graphicspath$', '^input', '^include',
  '^if', '^[hv]space', '^write', '^special$', '^[cC]onfigure', '^Require', '^Package', '^nocite', '^label$', 'ref$', '^cite',
  '^begin$', '^end$', '^foot', '^caption', '^item$',
}

local function silent(name)
  for _, pattern in ipairs(SILENT) do
    if name:match(pattern) then return true end
  end
  return false
end

-- Two words, or letters beyond ASCII. Settings have an equals sign.
local function isProse(text)
  local words = text:gsub('\\%a+', ' ')
  return not text:find('=') and (words:find('%a%a[%s~,;.:-]+%a') or words:find('[\128-\255]')) ~= nil
end

-- Notes an unknown command whose arguments are text: how many it has, whether one in brackets comes first, and whether it
-- mostly stands alone, as a paragraph.
local function note(text, found, alone)
  local masked = text:gsub('\\[{}]', '\1\1')
  local name, at = masked:match('^\\(%a+)()')
  if not name or silent(name) or found[name] == false then return end
  local bracketed, count, spoken = false, 0, false
  while true do
    local behind = masked:match('^%s*%b[]()', at)
    local from, to = masked:match('^%s*()%b{}()', at)
    if behind and count == 0 then
      bracketed, count, at = true, 1, behind
    elseif from then
      count, spoken, at = count + 1, spoken or isProse(text:sub(from + 1, to - 2)), to
    else
      break
    end
  end
  -- A definition cannot have arguments in other places, or between `<` and `>` as in Beamer.
  if masked:match('^%s*[%[<*]', at) or count > 9 then
    found[name] = false
  elseif spoken then
    local known = found[name] or { count = 0, alone = 0 }
    local more = count > known.count
    found[name] = {
      count = more and count or known.count,
      bracketed = more and bracketed or not more and known.bracketed,
      alone = known.alone + (alone and 1 or -1),
    }
  end
end

-- Notes what pandoc passes on as it is.
local function notes(text, found)
  local done, document = pcall(pandoc.read, text, 'latex+raw_tex')
  if not done then return end
  local function raw(element, alone)
    if element.format ~= 'latex' then return end
    local inner = element.text:match('^\\begin{[^{}]+}(.*)\\end{[^{}]+}%s*$')
    if inner and inner ~= text then notes(inner, found) else note(element.text, found, alone) end
  end
  pandoc.walk_block(pandoc.Div(document.blocks), {
    RawBlock = function(block) raw(block, true) end,
    RawInline = function(inline) raw(inline, false) end,
  })
end

local function definitions(found)
  local lines = {}
  for name, command in pairs(found) do
    if command then
      local shown = {}
      for index = command.bracketed and 2 or 1, command.count do table.insert(shown, '#' .. index) end
      local format = '\\newcommand{\\%s}[%d]%s{%s%s}'
      local ending = command.alone > 0 and '\\par ' or ''
      table.insert(lines, format:format(name, command.count, command.bracketed and '[]' or '', table.concat(shown, ' '), ending))
    end
  end
  table.sort(lines)
  -- On one line with the first of the source: messages name lines.
  return table.concat(lines)
end

function Reader(sources)
  local source, found, before = tostring(sources), {}, nil
  for _ = 1, ROUNDS do
    local known = definitions(found)
    if known == before then break end
    before = known
    notes(known .. source, found)
  end
  local done, document = pcall(pandoc.read, before .. source, 'latex')
  -- Its message would quote the whole source.
  if not done then error('This is not LaTeX', 0) end
  return document
end
