/** Thumbnails that are made at the same time. */
const AT_ONCE = 2

const waiting: (() => void)[] = []
let active = 0

/** Runs a task when fewer than two others run. Tasks whose signal is aborted by then are left out. */
export async function inTurn(signal: AbortSignal, task: () => Promise<void>): Promise<void> {
  if (active >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  active++
  try {
    if (!signal.aborted) await task()
  } finally {
    active--
    waiting.shift()?.()
  }
}

const visible = new Map<Element, () => void>()
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) visible.get(target)?.()
  },
  // Those that come next when somebody scrolls.
  { rootMargin: '300px' },
)

/** Calls a function once when an element comes into view. Returns the function that stops it. */
export function whenVisible(element: Element, act: () => void): () => void {
  const stop = () => {
    visible.delete(element)
    observer.unobserve(element)
  }
  visible.set(element, () => {
    stop()
    act()
  })
  observer.observe(element)
  return stop
}
