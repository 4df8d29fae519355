import { useEffect, useState } from 'preact/hooks'
import { useDetails } from '../details/detail-texts.ts'
import type { Shown, Sides } from './kinds.ts'
import { useObjectUrl } from './object-url.ts'

/** Bytes of a text that are shown. */
const HEAD = 4000

interface Props extends Sides {
  kind: Shown
  /** Undefined if the source is not shown. */
  sourceKind: Shown | undefined
}

/** A source beside its result, each as its kind is shown. */
export function Beside({ source, result, kind, sourceKind, onUnshown, onFailed }: Props) {
  const { t } = useDetails()
  return (
    <div class="players">
      {source && <Side title={t('compare.before')} kind={sourceKind ?? kind} content={source} onError={onUnshown} />}
      <Side title={t('compare.after')} kind={kind} content={result} onError={onFailed} />
    </div>
  )
}

interface SideProps {
  title: string
  kind: Shown
  /** A local file, or a URL. */
  content: Blob | string
  onError: () => void
}

function Side({ kind, ...side }: SideProps) {
  const View = kind === 'text' ? Head : kind === 'pdf' ? Pages : Player
  return (
    <figure>
      <figcaption>{side.title}</figcaption>
      <View kind={kind} {...side} />
    </figure>
  )
}

function Player({ title, kind, content, onError }: SideProps) {
  const isUrl = typeof content === 'string'
  const own = useObjectUrl(isUrl ? undefined : content)
  const src = isUrl ? content : own
  if (!src) return null
  if (kind === 'image') return <img class="side-picture" src={src} alt={title} onError={onError} />
  const Player = kind === 'video' ? 'video' : 'audio'
  return <Player controls preload="metadata" playsInline src={src} aria-label={title} onError={onError} />
}

/** A PDF in the viewer of the browser, which shows no attachment of the service: the page fetches it. */
function Pages({ title, content, onError }: SideProps) {
  const src = useObjectUrl(useRead(content, asPdf, onError))
  return src ? <iframe class="pages" src={src} title={title} /> : null
}

/** Whatever a file says of itself, nothing but a PDF is to open as a part of the page. */
const asPdf = (bytes: Blob) => bytes.slice(0, bytes.size, 'application/pdf')

/** The beginning of a text. */
function Head({ content, onError }: SideProps) {
  const text = useRead(content, asText, onError, HEAD)
  if (text === undefined) return null
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long text
    <pre tabIndex={0} dir="auto">
      {text.length >= HEAD ? `${text.trimEnd()} …` : text}
    </pre>
  )
}

const asText = (bytes: Blob) => bytes.slice(0, HEAD).text()

/** Returns what is made of local content, or of the first bytes of a URL; undefined until then. */
function useRead<Made>(
  content: Blob | string,
  make: (bytes: Blob) => Made | Promise<Made>,
  onError: () => void,
  most?: number,
): Made | undefined {
  const [made, setMade] = useState<Made>()
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    const read = async () => {
      if (typeof content !== 'string') return make(content)
      const answer = await fetch(content, { signal, ...(most && { headers: { range: `bytes=0-${most - 1}` } }) })
      return answer.ok ? make(await answer.blob()) : Promise.reject(answer)
    }
    read().then(
      (made) => signal.aborted || setMade(() => made),
      () => signal.aborted || onError(),
    )
    return () => leaving.abort()
  }, [content])
  return made
}
