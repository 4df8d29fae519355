import type { Problem } from '../state/item.ts'
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

/** Codes with the advice of another. */
const LIKE: Readonly<Record<string, string>> = {
  TOO_LARGE: 'FILE_TOO_LARGE',
  UNKNOWN_OPTION: 'INVALID_OPTIONS',
  OPTION_NOT_APPLICABLE: 'INVALID_OPTIONS',
  TIMEOUT: 'RESOURCE_LIMIT',
  RATE_LIMITED: 'QUEUE_FULL_GLOBAL',
  MAINTENANCE_MODE: 'QUEUE_FULL_GLOBAL',
}

/** The service's error message for a file, and advice. */
export function ProblemNote({ problem, size, uploaded, maxFileSize }: Props) {
  const { t, has, bytes } = useTexts()
  const { code, message, requestId } = problem
  const tooLarge = code === 'TOO_LARGE'
  const unrecognised = code === 'UNSUPPORTED_FORMAT' && !uploaded
  const advice = `error.${unrecognised ? 'unrecognised' : (LIKE[code] ?? code)}`
  return (
    <div class="problem">
      <Icon name="warning" />
      <p>
        {tooLarge ? (
          t('error.tooLarge', { size: bytes(size), limit: bytes(maxFileSize!) })
        ) : (
          <bdi>{sentence(message)}</bdi>
        )}{' '}
        {has(advice) && <span>{t(advice)}</span>}
        {requestId && code === 'INTERNAL_SERVER_ERROR' && <small>{t('error.request', { id: requestId })}</small>}
      </p>
    </div>
  )
}

/** The service's words without what is meant for clients of its API: the name of the field, and the endpoint to ask. */
function sentence(message: string): string {
  const text = message.replace(/^file: (.)/, (_, first) => first.toUpperCase()).replace(/; GET \/.*$/, '')
  return /[.!?]$/.test(text) ? text : `${text}.`
}
