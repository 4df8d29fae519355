import { useId, useRef, useState } from 'preact/hooks'
import { useDetails } from '../details/detail-texts.ts'
import { IconButton } from '../parts/button.tsx'
import type { Sides } from './kinds.ts'
import { useObjectUrl } from './players.tsx'

/** Factors of the zoom. At 1, the whole picture is in view. */
const ZOOMS = [1, 2, 4, 8]

/** Pixels beside the divider in which a pointer takes it. */
const GRIP = 24

/** Two pictures on top of each other. A divider shows the source on its one side and the result on the other. */
export function Pictures({ source, result, onUnshown, onFailed }: Sides) {
  const { t, percent, direction } = useDetails()
  const id = useId()
  const before = useObjectUrl(source)
  const [at, setAt] = useState(0.5)
  const [zoom, setZoom] = useState(1)
  const [[width, height], setSize] = useState([0, 0])
  const step = ZOOMS.indexOf(zoom)
  const view = useRef<HTMLElement>(null)
  const pans = useRef(false)

  /** Returns where a pointer is, from 0 to 1. */
  const shareAt = ({ clientX, currentTarget }: PointerEvent & { currentTarget: HTMLElement }) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    const share = Math.min(1, Math.max(0, (clientX - left) / width))
    return direction === 'rtl' ? 1 - share : share
  }
  const grip = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const distance = Math.abs(shareAt(event) - at) * event.currentTarget.offsetWidth
    // A magnified picture is moved, unless somebody takes its divider.
    pans.current = zoom > 1 && (!before || distance > GRIP)
  }
  const drag = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!event.buttons) return
    if (pans.current) view.current!.scrollBy(-event.movementX, -event.movementY)
    else if (before) setAt(shareAt(event))
  }
  const style = {
    '--at': percentage(at),
    '--width': `${width}px`,
    '--ratio': height ? width / height : 1,
    '--zoom': zoom,
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
            disabled={step === 0}
            onClick={() => setZoom(ZOOMS[step - 1]!)}
          />
          <output>{percent(zoom)}</output>
          <IconButton
            icon="plus"
            label={t('compare.larger')}
            disabled={step === ZOOMS.length - 1}
            onClick={() => setZoom(ZOOMS[step + 1]!)}
          />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a magnified picture */}
      <section class="pictures" ref={view} tabIndex={0} aria-label={t('compare.pictures')}>
        <div
          class={before ? 'stack divided' : 'stack'}
          data-zoomed={zoom > 1}
          style={style}
          onPointerDown={(event) => {
            // Otherwise the browser would drag the picture away.
            event.preventDefault()
            event.currentTarget.setPointerCapture(event.pointerId)
            grip(event)
            drag(event)
          }}
          onPointerMove={drag}
        >
          <img
            src={result}
            alt={t('compare.after')}
            onError={onFailed}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => setSize([naturalWidth, naturalHeight])}
          />
          {before && <img class="before" src={before} alt={t('compare.before')} onError={onUnshown} />}
          {before && (
            <p class="sides" aria-hidden="true">
              <span>{t('compare.before')}</span>
              <span>{t('compare.after')}</span>
            </p>
          )}
        </div>
      </section>
    </>
  )
}

const percentage = (share: number) => `${share * 100}%`
