import { ServiceError } from '../../errors.ts'

/** What a client of Gotenberg asks for, of what this service can do. */
interface GotenbergForm {
  /** Whether the result is to be PDF/A. */
  archive: boolean
}

/** Fields of Gotenberg that only change the size of the result. They are ignored. */
const SIZE_ONLY = new Set([
  'quality',
  'losslessImageCompression',
  'reduceImageResolution',
  'maxImageResolution',
  'optimizeImages',
  'imageQuality',
  'nativePdfFormats',
])

/** Fields that are on if a client sends nothing. */
const ON = new Set([
  'updateIndexes',
  'exportFormFields',
  'exportBookmarks',
  'displayPDFDocumentTitle',
  'useTransitionEffects',
])

const TRUE = ['1', 't', 'T', 'TRUE', 'true', 'True']
const FALSE = ['0', 'f', 'F', 'FALSE', 'false', 'False']

/** What this service makes: PDF/A-2b. */
const ARCHIVE = 'PDF/A-2b'

/**
 * Reads the fields beside the files. A field that asks for what this service does not do is refused: the client would
 * get another document than it wants. A field with the value that Gotenberg takes by default asks for nothing.
 *
 * @param files How many there are. @throws ServiceError BAD_REQUEST.
 */
export function readGotenbergForm(fields: object, files: number): GotenbergForm {
  const entries = Object.entries(fields).filter(([name, value]) => value !== '' && !SIZE_ONLY.has(name))
  let archive = false
  for (const [name, value] of entries) {
    if (name === 'pdfa') archive = readArchive(value)
    else if (name === 'merge') refuseMerge(value, files)
    else if (!(ON.has(name) ? TRUE : FALSE).includes(value)) {
      throw invalid(`form field '${name}' is not supported here; leave it out`)
    }
  }
  return { archive }
}

function readArchive(value: unknown): boolean {
  if (value === ARCHIVE) return true
  throw new ServiceError('BAD_REQUEST', `The PDF format '${value}' is not supported. Valid formats include ${ARCHIVE}.`)
}

function refuseMerge(value: unknown, files: number): void {
  if (FALSE.includes(value as string)) return
  if (!TRUE.includes(value as string))
    throw invalid(`form field 'merge' is invalid (got '${value}', want true or false)`)
  if (files > 1) throw invalid("form field 'merge' is not supported here; without it, the documents come as a ZIP")
}

export const invalid = (message: string) => new ServiceError('BAD_REQUEST', `Invalid form data: ${message}`)
