import type { Catalogue } from '../../catalogue/catalogue.ts'
import { createOptionsValidator } from '../../catalogue/options.ts'
import { type Code, fileTooLarge, type ServiceError, storageFull, tooLargeResult, unauthorized } from '../../errors.ts'
import { noSuchFile } from '../../files/uploads/files.ts'
import { checksumMismatch, offsetMismatch } from '../../files/uploads/resumable/refusals.ts'
import { unexpectedStatus, urlNotAllowed } from '../../imports/failures.ts'
import { batchTooLarge } from '../../jobs/batches.ts'
import { CANCELLED } from '../../jobs/conversions.ts'
import { invalidResult } from '../../jobs/failure.ts'
import { ownQueueFull, queueFull } from '../../jobs/queue/refusals.ts'
import { late } from '../../jobs/queue/running.ts'
import { requireActive } from '../../people/credentials.ts'
import { keyInUse, keyReused } from '../../people/idempotency.ts'
import { refuseBeyond } from '../../people/quotas.ts'
import { invalidToken } from '../../people/resets.ts'
import { emailTaken } from '../../people/users.ts'
import { isUnchanged, requestedRange } from '../answer/conditional.ts'
import { errorRecord, faultOfOurs } from '../answer/failure.ts'
import { httpsRequired, inMaintenance, notReady } from '../guards.ts'
import { misdirected } from '../identity/known-host.ts'
import { rateRefusal } from '../rates/limits.ts'
import { jsonTooLarge, jsonWanted } from '../request/json-body.ts'
import { createCheck } from '../request/validation.ts'
import { failedCall } from '../resources/one-call.ts'
import type { SamplePair } from './sample-pair.ts'

/** What the examples are about. */
interface Installation {
  catalogue: Pick<Catalogue, 'pairs' | 'plugins' | 'find'>
  pair: SamplePair | undefined
}

/** Reads a body that needs a target, as that of a conversion does. */
const checkBody = createCheck(
  { type: 'object', required: ['toFormat'], properties: { toFormat: { type: 'string', minLength: 1 } } },
  'The body',
)

const FILE = { size: 9120, etag: '"x"', modified: 0 }
const AT_LIMIT = { conversionsPerDay: 10, bytesPerDay: null } as Parameters<typeof refuseBeyond>[0]

/** Failures of conversions, which the one call answers with. */
const FAILURES = [
  { code: 'ENCRYPTED_INPUT', message: 'The file asks for a password' },
  tooLargeResult(25e6),
  late(120_000),
  { code: 'CANCELLED', message: CANCELLED },
]

/** Refusals that do not depend on the catalogue. Each comes from the code that refuses requests. */
const REFUSALS: readonly (() => unknown)[] = [
  () => checkBody({}),
  () => batchTooLarge(2),
  () => urlNotAllowed('url', 'has an address that is not public'),
  unauthorized,
  () => requireActive({ status: 'suspended' }),
  invalidToken,
  emailTaken,
  () => keyInUse(),
  keyReused,
  offsetMismatch,
  checksumMismatch,
  noSuchFile,
  () => isUnchanged({ 'if-match': '"y"' }, FILE),
  () => requestedRange({ range: 'bytes=9999-' }, FILE.size, FILE),
  () => fileTooLarge(25e6),
  jsonTooLarge,
  jsonWanted,
  misdirected,
  () => httpsRequired(false),
  () => rateRefusal('conversions', 'minute', { limit: 10, reset: 42 }),
  () => refuseBeyond(AT_LIMIT, { conversions: 10, bytes: 0 }, 0, 0),
  () => ownQueueFull(5, true),
  queueFull,
  () => storageFull(),
  inMaintenance,
  () => notReady({ storage: { ok: false, detail: 'does not answer' } }),
  () => unexpectedStatus(404),
  ...FAILURES.map((failure) => () => failedCall(failure)),
  () => faultOfOurs(),
]

/** Refusals of conversions, about formats and options of this installation. */
function refusalsOfPair({ catalogue, pair }: Installation): readonly (() => unknown)[] {
  if (!pair) return []
  const from = pair.from.extension
  const to = pair.to.extension
  // biome-ignore lint/style/noNonNullAssertion: the pair is one of the catalogue.
  const { plugin } = catalogue.pairs.get(`${from}>${to}`)!
  const { check } = createOptionsValidator(catalogue.plugins)
  const foreign = catalogue.plugins
    .flatMap(({ options }) => Object.keys(options))
    .find((key) => !(key in plugin.options))
  const [first] = Object.keys(plugin.options)
  return [
    () => catalogue.find(from, from, 'convert'),
    () => failedCall(invalidResult(to)),
    () => catalogue.find(from, 'nosuch', 'convert'),
    () => check(plugin, to, { colour: 1 }),
    ...(foreign ? [() => check(plugin, to, { [foreign]: 1 })] : []),
    ...(first ? [() => check(plugin, to, { [first]: -1 })] : []),
  ]
}

/** Makes an example of each refusal, by its code. */
export function refusalExamples(installation: Installation): Partial<Record<Code, object>> {
  const errors = [...REFUSALS, ...refusalsOfPair(installation)].map(errorOf)
  return Object.fromEntries(errors.map((error) => [error.code, { value: { error: errorRecord(error) } }]))
}

/** Some of these functions return their error, others throw it. */
function errorOf(refuse: () => unknown): ServiceError {
  try {
    return refuse() as ServiceError
  } catch (error) {
    return error as ServiceError
  }
}
