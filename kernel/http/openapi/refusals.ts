import { type Code, STATUS } from '../../errors.ts'
import { jsonBodyOf, type Operation } from '../operation.ts'
import { refusalHeaders } from './headers.ts'

/** Refusals that every path under /api knows. */
const COMMON: readonly Code[] = ['UNAUTHORIZED', 'MISDIRECTED_REQUEST', 'HTTPS_REQUIRED', 'MAINTENANCE_MODE']

/** Refusals of every JSON body. */
const BODY: readonly Code[] = ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** Every refusal of an operation: those that its declaration implies, and its own. */
export function refusalsOf(operation: Operation): readonly Code[] {
  const codes: Code[] = operation.authentication === 'none' ? [] : [...COMMON]
  if (operation.rate !== 'none') codes.push('RATE_LIMITED')
  if (jsonBodyOf(operation)) codes.push(...BODY)
  if (operation.query && !operation.readsQuery) codes.push('BAD_REQUEST')
  if (operation.idempotent) codes.push('BAD_REQUEST', 'IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED')
  return codes.concat(operation.refusals ?? [])
}

/** Refusals that most operations share. The document describes them once, as `default`. */
const USUAL: readonly Code[] = [
  'INTERNAL_SERVER_ERROR',
  'HTTPS_REQUIRED',
  'MAINTENANCE_MODE',
  'UNAUTHORIZED',
  'MISDIRECTED_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
]

/**
 * Refusals that are `default` where operations do not name them: of suspended accounts, the ceiling, and a version of
 * tus.
 */
const ELSEWHERE: readonly Code[] = ['FORBIDDEN', 'RATE_LIMITED', 'PRECONDITION_FAILED']

/** Collects the refusals of all operations as components: each response by its codes. */
export function collectRefusals() {
  const components: Record<string, object> = { Other: describe('Any other error', [...USUAL, ...ELSEWHERE], 500) }
  return {
    components,
    /** The responses of one operation, by status. */
    of(codes: readonly Code[]): Record<string, object> {
      const responses = groups(codes).map(({ name, status, codes: group }) => {
        components[name] ??= describe('', group, status)
        return [status, { $ref: `#/components/responses/${name}` }]
      })
      return { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/Other' } }
    },
  }
}

/** Codes of one status. */
interface Group {
  name: string
  status: number
  codes: readonly Code[]
}

/** Groups codes by status, and names each group by its codes: `NotFound`, `BadRequestOrInvalidToken`. */
function groups(codes: readonly Code[]): Group[] {
  const byStatus = Map.groupBy(new Set(codes), (code) => STATUS[code])
  const worth = [...byStatus].filter(([, group]) => group.some((code) => !USUAL.includes(code)))
  return worth.map(([status, group]) => ({ name: group.map(pascal).join('Or'), status, codes: group }))
}

const pascal = (code: Code) => code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

function describe(what: string, codes: readonly Code[], status: number) {
  const headers = refusalHeaders(status === 500, status === 429 || status === 503, status === 429)
  return {
    description: `${what && `${what}, such as `}${codes.join(', ')}.`,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } } },
  }
}
