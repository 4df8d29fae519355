-- Makes footnotes of the spans that programs/reflow/html.ts marks as such, and comments of the marks of pages. Pages are not of
-- any page on the web: only numbers count.
local function paged(div)
  local number = div.attributes.page or ''
  return number:match('^%d+$') and FORMAT == 'markdown' and pandoc.RawBlock('markdown', '<!-- page ' .. number .. ' -->') or {}
end

-- Tracked changes come with the comments of Word documents.
local tracked = PANDOC_READER_OPTIONS.track_changes == 'all-changes'
local GONE = { deletion = true, ['comment-end'] = true, ['paragraph-insertion'] = true, ['paragraph-deletion'] = true }

local function reviewed(span)
  local kind = span.classes[1]
  if GONE[kind] then return {} end
  if kind == 'insertion' then return span.content end
  if kind ~= 'comment-start' then return nil end
  local author = span.attributes.author or ''
  local said = pandoc.Inlines(author == '' and 'Comment: ' or 'Comment by ' .. author .. ': ')
  said:extend(span.content)
  return pandoc.Note({ pandoc.Para(said) })
end

function Div(div)
  if div.classes:includes('page-mark') then return paged(div) end
end

function Span(span)
  if span.classes:includes('reflow-footnote') then return pandoc.Note({ pandoc.Para(span.content) }) end
  if tracked then return reviewed(span) end
end
