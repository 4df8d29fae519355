import { useEffect, useState } from 'preact/hooks'
import { useDetails } from '../details/detail-texts.ts'
import type { Sides } from './kinds.ts'

/** Bytes of a text that are shown. */
const HEAD = 4000

/** The beginnings of the source and of the result. */
export function TextHeads({ source, result, onFailed }: Sides) {
  const { t } = useDetails()
  const [before, setBefore] = useState<string>()
  const [after, setAfter] = useState<string>()
  useEffect(() => {
    if (!source) return setBefore(undefined)
    void source.slice(0, HEAD).text().then(setBefore)
  }, [source])
  useEffect(() => {
    const controller = new AbortController()
    fetch(result, { headers: { range: `bytes=0-${HEAD - 1}` }, signal: controller.signal })
      .then((answer) => (answer.ok ? answer.text() : Promise.reject(answer)))
      .then(setAfter, () => controller.signal.aborted || onFailed())
    return () => controller.abort()
  }, [result])
  return (
    <div class="players">
      {before !== undefined && <TextHead title={t('compare.before')} text={before} />}
      {after !== undefined && <TextHead title={t('compare.after')} text={after} />}
    </div>
  )
}

const TextHead = ({ title, text }: { title: string; text: string }) => (
  <figure>
    <figcaption>{title}</figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls a long text */}
    <pre tabIndex={0} dir="auto">
      {text.length >= HEAD ? `${text.trimEnd()} …` : text}
    </pre>
  </figure>
)
