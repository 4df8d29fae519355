import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/texts.ts'

interface Props {
  online: boolean
  /** End of the pause that the service asked for, in epoch milliseconds. */
  pausedUntil: number
  /** Whether the browser did not hand over the files that somebody shared with the page. */
  missed: boolean
}

/** Shows that the service cannot be reached, that it asks for a pause, or that shared files did not arrive. */
export function ConnectionBanner({ online, pausedUntil, missed }: Props) {
  const { t } = useTexts()
  const seconds = useSecondsUntil(pausedUntil)
  return (
    <div class="banner" role="status">
      {!online && (
        <p>
          <strong>{t('offline.title')}</strong> {t('offline.hint')}
        </p>
      )}
      {online && seconds > 0 && <p aria-live="off">{t('paused', { count: seconds })}</p>}
      {missed && <p>{t('share.missed')}</p>}
    </div>
  )
}

function useSecondsUntil(time: number): number {
  const left = () => Math.max(0, Math.ceil((time - Date.now()) / 1000))
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    setSeconds(left())
    if (!time) return
    const timer = setInterval(() => setSeconds(left()), 1000)
    return () => clearInterval(timer)
  }, [time])
  return seconds
}
