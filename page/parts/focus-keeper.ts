/**
 * Moves the focus when its element goes, such as the button of a removed file. Otherwise the keyboard would start at
 * the top.
 */
export function keepFocus(): void {
  /** The last focused element of the list: its row, and the place of that. */
  let last: { element: Element; row: HTMLElement | null; at: number } | undefined
  document.addEventListener('focusin', ({ target }) => {
    const element = target as Element
    const row = element.closest<HTMLElement>('.files .row')
    last = element.closest('.files')
      ? { element, row, at: row ? [...row.parentElement!.children].indexOf(row) : 0 }
      : undefined
  })

  // A key that is held down must not press what gets the focus next.
  const ignoreRepeats = (event: KeyboardEvent) => {
    if (!event.repeat || event.key !== 'Enter') return
    event.preventDefault()
    event.stopPropagation()
  }
  document.addEventListener('keydown', ignoreRepeats, true)

  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    const { row, at } = last
    const rows = document.querySelectorAll<HTMLElement>('.files .row')
    const near = !row
      ? document.querySelector<HTMLElement>('.actions-row')
      : row.isConnected
        ? row
        : rows[Math.min(at, rows.length - 1)]
    // Never to a button that removes, which a second press of the key would press.
    const inside = near?.querySelector<HTMLElement>('.row-act :is(button, input)')
    if (near && !inside) near.tabIndex = -1
    const next = inside ?? near ?? document.querySelector<HTMLElement>('.drop-button')
    next?.focus({ preventScroll: true })
  }).observe(document.body, { childList: true, subtree: true })
}
