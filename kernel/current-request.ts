import { AsyncLocalStorage } from 'node:async_hooks'
import type { TraceContext } from './tracing/trace-context.ts'

/**
 * The request that the running code serves, or that started the conversion on which it works. Every line logged
 * meanwhile has its id. `trace`: what the work belongs to in a trace.
 */
export const currentRequest = new AsyncLocalStorage<{ requestId?: string; trace?: TraceContext | undefined }>()
