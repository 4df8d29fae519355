import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { useDetails } from '../details/detail-texts.ts'
import { IconButton } from '../parts/button.tsx'
import type { Sides } from './kinds.ts'
import { useObjectUrl } from './object-url.ts'

/** Pixels of the screen for one of the picture. Before these, the whole picture is in view. */
const SCALES = [1, 2, 4, 8]

/** Pixels beside the divider in which a pointer takes it. */
const GRIP = 24

type Pointer = PointerEvent & { currentTarget: HTMLElement }

/** Two pictures on top of each other. A divider shows the source on its one side and the result on the other. */
export function Pictures({ source, result, onUnshown, onFailed }: Sides) {
  const { t, percent, direction } = useDetails()
  const id = useId()
  const before = useObjectUrl(source)
  /** Where the divider is in the view, from 0 to 1, and how much is magnified; undefined: not. */
  const [at, setAt] = useState(0.5)
  const [scale, setScale] = useState<number>()
  const [[width, height], setSize] = useState([0, 0])
  const [{ left, room }, setView] = useState({ left: 0, room: 0 })
  const view = useRef<HTMLElement>(null)
  const pans = useRef(false)
  /** What is in the middle of the view, from 0 to 1 in each direction. */
  const middle = useRef([0.5, 0.5])

  const look = () => {
    const { scrollLeft: left, clientWidth: room } = view.current ?? {}
    if (room) setView({ left: left!, room })
  }
  useEffect(() => {
    const observer = new ResizeObserver(look)
    observer.observe(view.current!)
    return () => observer.disconnect()
  }, [])
  useLayoutEffect(() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = view.current!
    const [x, y] = middle.current as [number, number]
    view.current!.scrollTo(x * scrollWidth - clientWidth / 2, y * scrollHeight - clientHeight / 2)
    look()
  }, [scale])

  const fit = useRef(1)
  if (!scale && width && room) fit.current = (room * devicePixelRatio) / width
  const shown = scale ?? fit.current
  const steps = [fit.current, ...SCALES.filter((step) => step > fit.current * 1.01)]
  const zoom = (to: number | undefined) => {
    const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = view.current!
    middle.current = [(scrollLeft + clientWidth / 2) / scrollWidth, (scrollTop + clientHeight / 2) / scrollHeight]
    setScale(to === fit.current ? undefined : to)
  }

  /** Returns where a pointer is, from 0 to 1. */
  const shareAt = ({ clientX }: Pointer) => {
    const { left, width } = view.current!.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (clientX - left) / width))
    return direction === 'rtl' ? 1 - share : share
  }
  const grip = (event: Pointer) => {
    // Otherwise the browser would drag the picture away.
    event.preventDefault()
    event.currentTarget.setPointerCapture(event.pointerId)
    // A magnified picture is moved, unless somebody takes its divider.
    pans.current = scale !== undefined && (!before || Math.abs(shareAt(event) - at) * room > GRIP)
    drag(event)
  }
  const drag = (event: Pointer) => {
    if (!event.buttons) return
    if (pans.current) view.current!.scrollBy(-event.movementX, -event.movementY)
    else if (before) setAt(shareAt(event))
  }
  const style = {
    '--at': `${at * 100}%`,
    '--cut': `${left + (direction === 'rtl' ? 1 - at : at) * room}px`,
    '--width': `${scale ? (width * scale) / devicePixelRatio : width}px`,
    '--ratio': height ? width / height : 1,
  } as Record<string, string | number>
  return (
    <>
      <div class="compare-controls">
        {before && (
          <label class="divider" for={id}>
            <span>{t('compare.before')}</span>
            <input
              id={id}
              type="range"
              min={0}
              max={100}
              value={Math.round(at * 100)}
              aria-label={t('compare.divider')}
              aria-valuetext={t('compare.share', { share: percent(at) })}
              onInput={(event) => setAt(event.currentTarget.valueAsNumber / 100)}
            />
            <span>{t('compare.after')}</span>
          </label>
        )}
        <div class="zoom">
          <IconButton
            icon="minus"
            label={t('compare.smaller')}
            disabled={!scale}
            onClick={() => zoom(steps.findLast((step) => step < shown))}
          />
          <output>{percent(shown)}</output>
          <IconButton
            icon="plus"
            label={t('compare.larger')}
            disabled={shown >= 8}
            onClick={() => zoom(steps.find((step) => step > shown))}
          />
        </div>
      </div>
      <div class={before ? 'frame divided' : 'frame'} data-zoomed={scale !== undefined} style={style}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a magnified picture */}
        <section class="pictures" dir="ltr" ref={view} tabIndex={0} aria-label={t('compare.pictures')} onScroll={look}>
          <div class="stack" onPointerDown={grip} onPointerMove={drag}>
            <img
              src={result}
              alt={t('compare.after')}
              onError={onFailed}
              onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize([naturalWidth, naturalHeight])}
            />
            {before && <img class="before" src={before} alt={t('compare.before')} onError={onUnshown} />}
          </div>
        </section>
        {before && (
          <p class="sides" aria-hidden="true">
            <span>{t('compare.before')}</span>
            <span>{t('compare.after')}</span>
          </p>
        )}
      </div>
    </>
  )
}
