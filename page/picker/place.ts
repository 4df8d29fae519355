/** Pixels between the list and its button, and the edges of the window. */
const GAP = 6

/** Places a dialog below a button, or above it where more room is. In a narrow window, the style makes it a sheet. */
export function placeBeside(dialog: HTMLElement, button: HTMLElement, direction: 'ltr' | 'rtl'): void {
  const { top, bottom, left, right } = button.getBoundingClientRect()
  const { innerHeight, innerWidth } = window
  const below = innerHeight - bottom
  const isAbove = below < 440 && top > below
  const width = dialog.offsetWidth
  // The edge at which lines of text end is that of the button.
  const start = direction === 'rtl' ? left : right - width
  const values = {
    '--left': `${Math.max(GAP, Math.min(innerWidth - width - GAP, start))}px`,
    '--top': isAbove ? 'auto' : `${bottom + GAP}px`,
    '--bottom': isAbove ? `${innerHeight - top + GAP}px` : 'auto',
    '--room': `${(isAbove ? top : below) - 2 * GAP}px`,
  }
  for (const [name, value] of Object.entries(values)) dialog.style.setProperty(name, value)
}
