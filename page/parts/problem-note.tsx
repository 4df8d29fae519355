import type { Problem } from '../state/item.ts'
import { problemKey } from '../state/problem-key.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'

interface Props {
  problem: Problem
  /** Bytes of the file. */
  size: number
  /** Whether the service has the file. */
  uploaded: boolean
  maxFileSize: number | null
}

/** Problems whose details help people: what is wrong with their file. */
const DETAILED = ['CONVERSION_ERROR', 'IMPORT_FAILED', 'UNSUPPORTED_FORMAT', 'INVALID_OPTIONS', 'RESOURCE_LIMIT']

/** What went wrong with a file and what to do, in the language of the page. */
export function ProblemNote({ problem, size, uploaded, maxFileSize }: Props) {
  const texts = useTexts()
  const { t, has, bytes } = texts
  const { code, message, requestId } = problem
  const text = () => {
    if (!uploaded && code === 'BAD_REQUEST' && size === 0) return t('error.empty')
    if (!uploaded && code === 'UNSUPPORTED_FORMAT') return t('error.unrecognised')
    if (code === 'TOO_LARGE') return t('error.tooLarge', { size: bytes(size), limit: bytes(maxFileSize!) })
    return t(problemKey(problem, has))
  }
  return (
    <div class="problem">
      <Icon name="warning" />
      <div>
        <p>{text()}</p>
        {requestId && code === 'INTERNAL_SERVER_ERROR' && <small>{t('error.request', { id: requestId })}</small>}
        {uploaded && message && DETAILED.includes(code) && (
          <details>
            <summary>{t('error.details')}</summary>
            {/* In English, for whoever helps. */}
            <bdi lang="en">{sentence(message)}</bdi>
          </details>
        )}
      </div>
    </div>
  )
}

/** The service's words as a sentence, without the name of the field and the endpoint to ask. */
function sentence(message: string): string {
  const text = message.replace(/^[\w.]+: (?=\S)/, '').replace(/; GET \/.*$/, '')
  return `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`
}
