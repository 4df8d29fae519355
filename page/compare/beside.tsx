import { useDetails } from '../details/detail-texts.ts'
import type { Shown, Sides } from './kinds.ts'
import { useObjectUrl } from './players.tsx'

interface Props extends Sides {
  kind: Shown
  sourceKind: Shown
}

/** A source beside a result of another kind, such as a film beside its animation. */
export function Beside({ source, result, kind, sourceKind, onUnshown, onFailed }: Props) {
  const { t } = useDetails()
  const before = useObjectUrl(source)
  return (
    <div class="players">
      {before && <Side title={t('compare.before')} kind={sourceKind} url={before} onError={onUnshown} />}
      <Side title={t('compare.after')} kind={kind} url={result} onError={onFailed} />
    </div>
  )
}

interface SideProps {
  title: string
  kind: Shown
  url: string
  onError: () => void
}

function Side({ title, kind, url, onError }: SideProps) {
  const Player = kind === 'video' ? 'video' : 'audio'
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {kind === 'image' ? (
        <img class="side-picture" src={url} alt={title} onError={onError} />
      ) : (
        <Player controls preload="metadata" playsInline src={url} aria-label={title} onError={onError} />
      )}
    </figure>
  )
}
