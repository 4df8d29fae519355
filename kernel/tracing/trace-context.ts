import type { IncomingHttpHeaders } from 'node:http'

/** The place in a trace, as one server tells it to the next (W3C Trace Context). */
export interface TraceContext {
  /** `00-`, id of the trace, id of the span, flags: 55 characters. */
  traceparent: string
  /** What tracing systems add: at most 512 characters of ASCII. Null: nothing. */
  tracestate: string | null
}

/** How many characters of `tracestate` the standard wants passed on. */
const MAX_STATE = 512

const PARENT = /^(?!ff)[0-9a-f]{2}(-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2})(?=$|-)/
const MEMBER = /^[a-z0-9][a-z0-9_\-*/@]{0,255}=[ -+\--<>-~]{1,256}$/

/** Reads the headers of a request. Undefined: there is no trace context, or it is malformed. */
export function readTraceContext({ traceparent, tracestate }: IncomingHttpHeaders): TraceContext | undefined {
  if (typeof traceparent !== 'string') return undefined
  const [whole, rest] = PARENT.exec(traceparent) ?? []
  // Later versions may say more, after these fields.
  if (whole === undefined || (whole.startsWith('00') && whole !== traceparent)) return undefined
  return { traceparent: `00${rest}`, tracestate: readState(tracestate) }
}

/** Returns what can be passed on: a list that is malformed or too long counts as none. */
function readState(given: string | string[] | undefined): string | null {
  const members = [given ?? []].flat().join().split(',')
  const list = members.map((member) => member.trim()).filter((member) => member !== '')
  const isValid = list.length > 0 && list.length <= 32 && list.every((member) => MEMBER.test(member))
  const state = list.join()
  return isValid && state.length <= MAX_STATE ? state : null
}

/** Returns what a record has of its trace; undefined: nothing. */
export const traceOf = ({
  traceparent,
  tracestate,
}: {
  traceparent: string | null
  tracestate: string | null
}): TraceContext | undefined => (traceparent === null ? undefined : { traceparent, tracestate })

/** The id by which a tracing system finds the trace. */
export const traceIdOf = ({ traceparent }: TraceContext): string => traceparent.slice(3, 35)

/** The headers that tell another server of a trace. */
export const traceHeaders = (context: TraceContext | undefined): Record<string, string> =>
  context
    ? { traceparent: context.traceparent, ...(context.tracestate !== null && { tracestate: context.tracestate }) }
    : {}
