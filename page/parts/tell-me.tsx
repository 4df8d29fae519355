import { useEffect, useState } from 'preact/hooks'
import { useTexts } from '../texts/texts.ts'
import { Button } from './button.tsx'

/** Milliseconds of work after which people may want to do something else. */
const LONG_MS = 5000

/** While conversions take long, offers a notification about their end. Browsers ask for permission after a press. */
export function TellMe({ working }: { working: boolean }) {
  const { t } = useTexts()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    setLong(false)
    const timer = working && setTimeout(() => setLong(true), LONG_MS)
    return () => clearTimeout(timer || undefined)
  }, [working])
  // Elsewhere than over HTTPS and on localhost, it is denied.
  if (!isLong || globalThis.Notification?.permission !== 'default') return null
  return (
    <Button class="quiet tell" onClick={() => void Notification.requestPermission().then(() => setLong(false))}>
      {t('bar.tell')}
    </Button>
  )
}
