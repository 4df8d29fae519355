import { type Code, STATUS } from '../errors.ts'
import { refusalHeaders } from './openapi-headers.ts'

/** An example for each code, of which the responses show those that they may carry. */
export const refusalExamples = (messages: Partial<Record<Code, string>>) =>
  Object.fromEntries(Object.entries(messages).map(([code, message]) => [code, { value: { error: { message, code } } }]))

/** What most operations may answer; described once, as `default`. */
const USUAL: readonly Code[] = [
  ...(['INTERNAL_SERVER_ERROR', 'HTTPS_REQUIRED', 'MAINTENANCE_MODE', 'UNAUTHORIZED', 'MISDIRECTED_REQUEST'] as const),
  ...(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const),
]

/** Suspended accounts are refused everywhere; operations name it that refuse for other reasons too. */
const SUSPENDED: Code = 'FORBIDDEN'

const ANY_OTHER =
  'Any other error: of the service, of plain HTTP, of a bad credential or a suspended account, of a body that is not JSON.'

/** The refusals of all operations: what several have in common becomes a component. */
export function collectRefusals(all: readonly (readonly Code[])[]) {
  const uses = new Map<string, number>()
  for (const codes of all) for (const [name] of groups(codes)) uses.set(name, (uses.get(name) ?? 0) + 1)
  const components: Record<string, object> = { OtherError: refusal(ANY_OTHER, [...USUAL, SUSPENDED], 500) }
  return {
    components,
    /** The responses of one operation, by status. */
    of(codes: readonly Code[]): Record<string, object> {
      const responses = groups(codes).map(([name, status, group]) => {
        const described = refusal(`${group.join(', ')}.`, group, status)
        if (uses.get(name)! < 2) return [status, described]
        components[name] = described
        return [status, { $ref: `#/components/responses/${name}` }]
      })
      return { ...Object.fromEntries(responses), default: { $ref: '#/components/responses/OtherError' } }
    },
  }
}

/** Codes of one status, with a name: `NotFound`, `BadRequestOrInvalidToken`, `BadRequestOr5More`. */
function groups(codes: readonly Code[]): [name: string, status: number, codes: Code[]][] {
  const byStatus = Map.groupBy(new Set(codes), (code) => STATUS[code])
  const worth = [...byStatus].filter(([, group]) => group.some((code) => !USUAL.includes(code)))
  return worth.map(([status, group]) => {
    const [first, ...more] = group.map(pascal)
    const name = more.length < 3 ? [first, ...more].join('Or') : `${first}Or${more.length}More`
    return [name, status, group]
  })
}

const pascal = (code: Code) => code.toLowerCase().replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

function refusal(description: string, codes: readonly Code[], status: number) {
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
