/** The icons, which `page/icons.html` draws. They come with the HTML: scripts would be larger. */
export type IconName =
  | 'add'
  | 'again'
  | 'archive'
  | 'audio'
  | 'back'
  | 'book'
  | 'compare'
  | 'cross'
  | 'document'
  | 'download'
  | 'edit'
  | 'file'
  | 'font'
  | 'image'
  | 'minus'
  | 'model'
  | 'more'
  | 'options'
  | 'pages'
  | 'person'
  | 'plus'
  | 'retry'
  | 'search'
  | 'settings'
  | 'share'
  | 'shrink'
  | 'slides'
  | 'subtitle'
  | 'table'
  | 'vector'
  | 'video'
  | 'warning'

/** An icon beside a text, or in a button with an accessible name. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" data-icon={name} aria-hidden="true">
    <use href={`#icon-${name}`} />
  </svg>
)
