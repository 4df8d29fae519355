/**
 * Mends what Swagger UI leaves unclear to screen readers, now and after each change: names of fields and regions,
 * levels of headings, and links within buttons. It changes attributes only, which Swagger UI does not set again.
 */
export function keepAccessible(root: HTMLElement): void {
  const mend = () => {
    for (const [selector, change] of MENDS) for (const element of root.querySelectorAll(selector)) change(element)
  }
  new MutationObserver(mend).observe(root, { childList: true, subtree: true })
  mend()
}

const set = (name: string, value: string) => (element: Element) => {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value)
}

/** Selectors, and what to change in their elements. */
const MENDS: readonly [string, (element: Element) => void][] = [
  ['.information-container section', set('aria-label', 'About')],
  ['.scheme-container section', set('aria-label', 'Credentials')],
  // The title is of level 1, and nothing is of level 2.
  ['h3', set('aria-level', '2')],
  ['h4', set('aria-level', '3')],
  ['h5', set('aria-level', '4')],
  // A table that is a region is no table, and all these regions had one name.
  ['table[role=region]', (table) => table.removeAttribute('role')],
  // The button around it does the same.
  ['button a[href]', (link) => link.removeAttribute('href')],
  // A narrow window scrolls them.
  ['pre', set('tabindex', '0')],
  ['.examples-select-element:not([aria-label])', set('aria-label', 'Example')],
  ['.body-param__text:not([aria-label])', set('aria-label', 'Request body')],
  [
    ':is(input, select, textarea):not([aria-label], [id], label *)',
    (field) => {
      const name = field.closest<HTMLElement>('[data-param-name], [data-property-name]')?.dataset
      field.setAttribute('aria-label', name?.paramName ?? name?.propertyName ?? 'Value')
    },
  ],
]
