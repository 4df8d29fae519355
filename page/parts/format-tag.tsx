/** A file's format as a small label, in the colour of its category. */
export const FormatTag = ({ format, category = 'none' }: { format: string; category?: string }) => (
  <span class="tag" data-category={category} aria-hidden="true">
    {format.toUpperCase().replace('.', '.\u200b')}
  </span>
)
