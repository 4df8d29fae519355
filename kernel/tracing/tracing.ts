import type { TraceContext } from './trace-context.ts'

/** Facts about a span. Never names of files, paths, tokens, or who somebody is. */
export type Attributes = Record<string, string | number>

/** How a span begins. */
interface SpanStart {
  /** Undefined: it begins a trace. */
  parent: TraceContext | undefined
  /** `server` serves a request, `client` sends one. Default: something inside the service. */
  kind?: 'server' | 'client'
  /** Epoch milliseconds, if it began before. */
  since?: number
}

/** How a span ends. */
interface SpanEnd {
  attributes?: Attributes
  /** What went wrong: a code, never a sentence. */
  error?: string | undefined
  /** A better name, known only now. */
  name?: string
}

/** Something that takes time. */
export interface Span {
  /** What to pass on, so that what follows belongs to this span; undefined: there is no trace. */
  readonly context: TraceContext | undefined
  end(how?: SpanEnd): void
}

export interface Tracing {
  begin(name: string, start: SpanStart): Span
  /** Sends what has ended, within a bounded time. */
  close(): Promise<void>
}

/** Records nothing: the trace context of a client passes through as it came. */
export const passThrough: Tracing = {
  begin: (_name, { parent }) => ({ context: parent, end() {} }),
  close: async () => {},
}
