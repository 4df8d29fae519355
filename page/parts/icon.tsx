const PATHS = {
  add: 'M12 4v12m-5-7 5-5 5 5M4 20h16',
  again: 'M4 9h15l-4-4m5 10H5l4 4',
  archive: 'M3 4h18v5H3zM5 9v11h14V9M10 13h4',
  audio: 'M9 18V6l10-2v12M9 18a3 3 0 1 1-3-3 3 3 0 0 1 3 3zM19 16a3 3 0 1 1-3-3 3 3 0 0 1 3 3z',
  back: 'M19 12H5m5-5-5 5 5 5',
  book: 'M12 6c-2-2-5-2-9-2v14c4 0 7 0 9 2 2-2 5-2 9-2V4c-4 0-7 0-9 2zv14',
  compare: 'M12 3v18M9 6H4v12h5m6-12h5v12h-5',
  cross: 'M6 6l12 12M18 6 6 18',
  document: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6m-6 4h6',
  download: 'M12 4v11m-5-4 5 5 5-5M4 20h16',
  edit: 'M4 20h4L19 9l-4-4L4 16zM13 7l4 4',
  image: 'M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15.5 9h.1',
  more: 'M4.5 12h1m6 0h1m6 0h1',
  minus: 'M5 12h14',
  options: 'M4 7h8m4 0h4M4 17h4m4 0h8M14 4.5v5M10 14.5v5',
  model: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4 20.5c0-4 4-6 8-6s8 2 8 6',
  plus: 'M5 12h14m-7-7v14',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20',
  settings: 'M4 6h10m4 0h2M4 12h2m4 0h10M4 18h10m4 0h2M16 3.5v5M8 9.5v5M16 15.5v5',
  share: 'M12 15V4m-4 4 4-4 4 4M5 12v8h14v-8',
  shrink: 'M4 9h5V4m6 0v5h5M4 15h5v5m6 0v-5h5',
  retry: 'M5 12a7 7 0 1 1 2.2 5.1M5 20v-4h4',
  vector: 'M5 19C5 11 11 5 19 5M3 17h4v4H3zM17 3h4v4h-4z',
  video: 'M3 6h12v12H3zM15 11l6-4v10l-6-4',
  warning: 'M12 4 2.5 20h19zM12 10v5m0 2.3v.2',
} as const

export type IconName = keyof typeof PATHS

/** An icon beside a text, or in a button with an accessible name. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="icon" data-icon={name} viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path
      d={PATHS[name]}
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
    />
  </svg>
)
