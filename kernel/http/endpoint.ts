import type { Kernel } from '../boot/kernel.ts'
import type { User } from '../database/tables/users.ts'
import type { Owner } from '../people/owner.ts'
import type { ResponseSchema } from './answer/response-schema.ts'
import type { Shape } from './answer/shape.ts'
import type { Streams } from './connection/streams.ts'
import type { Context, Middleware } from './context.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { SamplePair } from './openapi/sample-pair.ts'
import type { Tag } from './openapi/tags.ts'
import type { Answer, Authentication, Operation, RawBody } from './operation.ts'
import type { Places } from './request/places.ts'
import type { FieldsOf, ObjectSchema } from './request/schema.ts'
import type { Tus } from './request/tus.ts'

/** What handlers get in addition to the kernel. */
export interface Edge {
  metrics: Metrics
  /** Every resource, for the document that describes them. */
  resources: readonly Resource[]
  /** The places of downloads. */
  places: Places
  /** Speaks the protocol of resumable uploads. */
  tus: Tus
  /** The streams of events. */
  streams: Streams
  /** Finds out who asks. */
  identify: Middleware
}

/** A request that passed what its endpoint declares: authentication, team, query and JSON body. */
export interface Input<A extends Authentication, Query extends ObjectSchema, Body extends ObjectSchema> {
  ctx: Context
  /** The owner of the request; with `x-team-id`, for that team. */
  owner: Owner
  /** The signed-in user. */
  user: A extends 'session' ? User : undefined
  query: Partial<FieldsOf<Query>>
  body: FieldsOf<Body>
}

/** The result of a handler that has sent the answer itself. */
export const SENT = Symbol('sent')

/** An operation with its handler. */
export interface Endpoint extends Operation {
  /** Prepares the handler, once for each server. */
  handle: (kernel: Kernel, edge: Edge) => (input: Input<any, any, any>) => unknown
}

/** Endpoints about one thing. Routes, rate limits, metrics and the OpenAPI document all come from here. */
export interface Resource {
  tag: Tag
  /** Parts of response bodies, by the name of their component in the OpenAPI document. */
  schemas?: Readonly<Record<string, ResponseSchema>>
  endpoints: readonly Endpoint[]
}

interface Definition<A extends Authentication, Query extends ObjectSchema, Body extends ObjectSchema, Result>
  extends Omit<Operation, 'authentication' | 'query' | 'body' | 'example' | 'answer'> {
  authentication: A
  query?: Query | ((categories: readonly string[]) => Query)
  body?: Body | RawBody
  example?: (pair: SamplePair) => FieldsOf<NoInfer<Body>>
  answer: Answer<Result>
  handle: (
    kernel: Kernel,
    edge: Edge,
  ) => (input: Input<A, Query, Body>) => Reply<NoInfer<Result>> | Promise<Reply<NoInfer<Result>>>
}

type Reply<Result> = Result | typeof SENT

/** Declares an endpoint. The types of query and body follow from their schemas. */
export const endpoint = <
  const A extends Authentication,
  const Query extends ObjectSchema = never,
  const Body extends ObjectSchema = never,
  Result = unknown,
>(
  definition: Definition<A, Query, Body, Result>,
): Endpoint => definition as unknown as Endpoint

/** 200 with a JSON body. */
export const ok = <Result>(description: string, body: Shape<Result>): Answer<Result> => ({
  status: 200,
  description,
  body,
})

/** 201 with a JSON body. @param location Returns the path of the created resource. */
export const created = <Result>(
  description: string,
  body: Shape<Result>,
  location?: (result: NoInfer<Result>) => string,
): Answer<Result> => ({ status: 201, description, body, ...(location && { location }) })

/** 204. */
export const done: Answer<unknown> = { status: 204, description: 'Done; there is no body.' }
