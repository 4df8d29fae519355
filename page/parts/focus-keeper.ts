/** Moves the focus when its element goes, such as the button of a removed file. Otherwise the keyboard would start at the top. */
export function keepFocus(): void {
  /** The last focused element of the list: its row, and the place of that. */
  let last: { element: Element; row: Element | null; at: number } | undefined
  document.addEventListener('focusin', ({ target }) => {
    const element = target as Element
    const row = element.closest('.files .row')
    last = element.closest('.files')
      ? { element, row, at: row ? [...row.parentElement!.children].indexOf(row) : 0 }
      : undefined
  })

  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return
    const { row, at } = last
    const rows = document.querySelectorAll('.files .row')
    // Never from another button to one that removes, which a second press of the key would press.
    const next = !row
      ? document.querySelector('.actions-row')
      : row.isConnected
        ? row.querySelector('.row-act :is(button, input), .row-end button')
        : rows[Math.min(at, rows.length - 1)]?.querySelector('.row-end button')
    ;((next ?? document.querySelector('.drop-button')) as HTMLElement | null)?.focus()
  }).observe(document.body, { childList: true, subtree: true })
}
