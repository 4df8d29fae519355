import type { Problem } from '../state/item.ts'
import { useTexts } from '../texts/texts.ts'
import { Icon } from './icon.tsx'

interface Props {
  problem: Problem
  /** Bytes of the file. */
  size: number
  maxFileSize: number | null
}

/** The service's error message for a file, and advice. */
export function ProblemNote({ problem, size, maxFileSize }: Props) {
  const { t, has, bytes } = useTexts()
  const { code, message, requestId } = problem
  const tooLarge = code === 'TOO_LARGE'
  const advice = `error.${tooLarge ? 'FILE_TOO_LARGE' : code}`
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

const sentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
