import { useEffect, useState } from 'preact/hooks'
import { useDetails } from '../details/detail-texts.ts'
import type { Sides } from './kinds.ts'

/** Players for the source and the result, of sound or film. */
export function Players({ source, result, kind, onUnshown, onFailed }: Sides & { kind: string }) {
  const { t } = useDetails()
  const before = useObjectUrl(source)
  const Player = kind === 'video' ? 'video' : 'audio'
  const shared = { controls: true, preload: 'metadata', playsInline: true } as const
  return (
    <div class="players">
      {before && (
        <figure>
          <figcaption>{t('compare.before')}</figcaption>
          <Player {...shared} src={before} aria-label={t('compare.before')} onError={onUnshown} />
        </figure>
      )}
      <figure>
        <figcaption>{t('compare.after')}</figcaption>
        <Player {...shared} src={result} aria-label={t('compare.after')} onError={onFailed} />
      </figure>
    </div>
  )
}

/** Returns a URL of a local file, for as long as the component is shown. */
export function useObjectUrl(file: File | undefined): string | undefined {
  const [url, setUrl] = useState<string>()
  useEffect(() => {
    if (!file) return setUrl(undefined)
    const made = URL.createObjectURL(file)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url
}
