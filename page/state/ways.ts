import type { Format } from '../../client/client.ts'
import { formatOf, SAME } from './wanted.ts'

/** A frequent task: it opens the file dialog for its sources, and its target is chosen already. */
export interface Way {
  id: 'photos' | 'office' | 'word' | 'scan' | 'gif' | 'smaller'
  /** The `accept` attribute of the file dialog; undefined: files of every kind. */
  accept?: string
  /** A typical source. If the service cannot convert it, the task is not offered. */
  source: string
  /** A format, or `SAME`. */
  to: string
}

/** The tasks of the first view, most frequent first. */
export const WAYS: readonly Way[] = [
  // Browsers do not know the photos of phones as pictures everywhere.
  { id: 'photos', accept: 'image/*,.heic,.heif,.avif', source: 'heic', to: 'jpg' },
  {
    id: 'office',
    accept: '.doc,.docx,.odt,.rtf,.pages,.xls,.xlsx,.ods,.numbers,.ppt,.pptx,.odp,.key',
    source: 'docx',
    to: 'pdf',
  },
  { id: 'word', accept: '.pdf', source: 'pdf', to: 'docx' },
  { id: 'scan', accept: 'image/*,.pdf,.heic', source: 'pdf', to: 'ocr.pdf' },
  { id: 'gif', accept: 'video/*,.mkv,.avi,.mov', source: 'mp4', to: 'gif' },
  { id: 'smaller', source: 'jpg', to: SAME },
]

/** Returns the tasks that the service can do; all of them while its formats are not known. */
export const possibleWays = (formats: ReadonlyMap<string, Pick<Format, 'targets'>>): readonly Way[] =>
  formats.size ? WAYS.filter(({ source, to }) => formats.get(source)?.targets.includes(formatOf(to, source))) : WAYS
