import { useRef, useState } from 'preact/hooks'
import { Button } from '../parts/button.tsx'
import type { AccountTexts } from './account-texts.ts'

/** A key that was just made. It cannot be shown again. */
export function NewKey({ value, texts: { t } }: { value: string; texts: AccountTexts }) {
  const field = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)
  const copy = () => {
    field.current!.select()
    // Browsers offer navigator.clipboard only over HTTPS and on localhost.
    setCopied(document.execCommand('copy'))
  }
  return (
    <div class="new-key" role="status">
      <p>{t('keys.once')}</p>
      <div>
        <input ref={field} type="text" dir="ltr" readOnly value={value} aria-label={t('keys.new')} />
        <Button class="primary" onClick={copy}>
          {t(copied ? 'keys.copied' : 'keys.copy')}
        </Button>
      </div>
    </div>
  )
}
