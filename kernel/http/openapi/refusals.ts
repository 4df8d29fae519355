import { type Code, STATUS } from '../../errors.ts'
import { jsonBodyOf, type Operation } from '../operation.ts'
import { refusalHeaders } from './headers.ts'

/** Refusals that every path under /api knows. */
const COMMON: readonly Code[] = [
  ...(['UNAUTHORIZED', 'RATE_LIMITED', 'MISDIRECTED_REQUEST', 'HTTPS_REQUIRED', 'MAINTENANCE_MODE'] as const),
]

/** Refusals of every JSON body. */
const BODY: readonly Code[] = ['BAD_REQUEST', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE']

/** Every refusal of an operation: those that its declaration implies, and its own. */
export const refusalsOf = (operation: Operation): readonly Code[] => [
  ...(operation.authentication === 'none' ? [] : COMMON),
  ...(jsonBodyOf(operation) ? BODY : []),
  ...(operation.query && !operation.readsQuery ? (['BAD_REQUEST'] as const) : []),
  ...(operation.refusals ?? []),
]

/** Refusals that most operations share. The document describes them once, as `default`. */
const USUAL: readonly Code[] = [
  ...(['INTERNAL_SERVER_ERROR', 'HTTPS_REQUIRED', 'MAINTENANCE_MODE', 'UNAUTHORIZED', 'MISDIRECTED_REQUEST'] as const),
  ...(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const),
]

/** Suspended accounts are refused everywhere. Operations name this code if they refuse for other reasons too. */
const SUSPENDED: Code = 'FORBIDDEN'

const ANY_OTHER =
  'Any other error: of the service, of plain HTTP, of a bad credential or a suspended account, of a body that is not JSON.'

/**
 * Describes the refusals of all operations. Those that several operations share become components.
 *
 * @param examples By their code. Without tools, some codes have none.
 */
export function collectRefusals(all: readonly (readonly Code[])[], examples: Partial<Record<Code, object>>) {
  const uses = new Map<string, number>()
  for (const codes of all) for (const { name } of groups(codes)) uses.set(name, (uses.get(name) ?? 0) + 1)
  const refusal = (description: string, codes: readonly Code[], status: number) =>
    describe(
      description,
      codes.filter((code) => examples[code]),
      status,
    )
  const components: Record<string, object> = { OtherError: refusal(ANY_OTHER, [...USUAL, SUSPENDED], 500) }
  return {
    components,
    /** The responses of one operation, by status. */
    of(codes: readonly Code[]): Record<string, object> {
      const responses = groups(codes).map(({ name, status, codes: group }) => {
        const described = refusal(`${group.join(', ')}.`, group, status)
        if (uses.get(name)! < 2) return [status, described]
        components[name] = described
        return [status, { $ref: `#/components/responses/${name}` }]
      })
      return { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/OtherError' } }
    },
  }
}

/** Codes of one status. */
interface Group {
  name: string
  status: number
  codes: readonly Code[]
}

/** Groups codes by status, and names each group: `NotFound`, `BadRequestOrInvalidToken`, `BadRequestOr5More`. */
function groups(codes: readonly Code[]): Group[] {
  const byStatus = Map.groupBy(new Set(codes), (code) => STATUS[code])
  const worth = [...byStatus].filter(([, group]) => group.some((code) => !USUAL.includes(code)))
  return worth.map(([status, group]) => {
    const [first, ...more] = group.map(pascal)
    const name = more.length < 3 ? [first, ...more].join('Or') : `${first}Or${more.length}More`
    return { name, status, codes: group }
  })
}

const pascal = (code: Code) => code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

function describe(description: string, codes: readonly Code[], status: number) {
  return {
    description,
    headers: refusalHeaders(status === 429 || status === 503, status === 401 || status === 429),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}
