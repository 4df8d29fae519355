-- Tables of FictionBook come as pages in code: see `plain/book.ts`.
return {
  {
    Para = function(para)
      local code = para.content[1]
      local page = #para.content == 1 and code.t == 'Code' and code.text:match('^\u{E0F0}(.*)$')
      return page and pandoc.read(page, 'html').blocks or nil
    end,
  },
}
