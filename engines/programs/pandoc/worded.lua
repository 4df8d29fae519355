-- Refuses a document of which nothing would be written: the targets here are empty files without text.
local BARE = { plain = true, markdown = true, rst = true, org = true, asciidoctor = true, textile = true, mediawiki = true }
local picture = FORMAT ~= 'plain'

function Pandoc(document)
  local blocks = document.blocks
  if not BARE[FORMAT] or next(document.meta) or pandoc.utils.stringify(blocks):match('%S') then return nil end
  local found = false
  local function find() found = true end
  pandoc.Div(blocks):walk({
    Image = picture and find or nil, Note = find, Math = find, Code = find, RawInline = find, RawBlock = find, CodeBlock = find,
    HorizontalRule = find,
  })
  if found then return nil end
  io.stderr:write('{"code":"CONVERSION_ERROR","message":"The document has no text"}\n')
  os.exit(1)
end
