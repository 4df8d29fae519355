-- Makes footnotes of the spans that programs/reflow/html.ts marks as such.
function Span(span)
  if span.classes:includes('reflow-footnote') then
    return pandoc.Note({ pandoc.Para(span.content) })
  end
end
