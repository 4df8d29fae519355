import type { Kernel } from '../boot/kernel.ts'
import type { User } from '../database/tables/users.ts'
import type { Owner } from '../people/owner.ts'
import { sendCacheable } from './answer/cacheable.ts'
import type { ResponseSchema } from './answer/response-schema.ts'
import type { Shape } from './answer/shape.ts'
import type { Streams } from './connection/streams.ts'
import { type Context, type Middleware, publicPath, sendJson } from './context.ts'
import { actingOwner, requireAccount, requireSession } from './identity/identity.ts'
import type { Metrics } from './metrics/metrics.ts'
import type { SamplePair } from './openapi/sample-pair.ts'
import {
  type Answer,
  type Authentication,
  jsonBodyOf,
  type Operation,
  querySchemaOf,
  type RawBody,
  type Tag,
} from './operation.ts'
import type { Charge } from './rates/limits.ts'
import { handleOnce, type Once, REPEATED, type StoredAnswer, UNKEYED } from './request/idempotency-key.ts'
import { readJson } from './request/json-body.ts'
import type { Places } from './request/places.ts'
import type { FieldsOf, ObjectSchema } from './request/schema.ts'
import type { Tus } from './request/tus.ts'
import { createCheck, createQueryReader } from './request/validation.ts'

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
  /** Counts what a request does beyond itself, such as a conversion that a tool starts. */
  charge: Charge
}

/** Names of the parameters in a path: `id` in `/api/files/:id/download`. */
type ParameterOf<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParameterOf<More>
    : Rest
  : never

/** A request that passed what its endpoint declares: authentication, team, query and JSON body. */
export interface Input<
  Path extends string,
  A extends Authentication,
  Query extends ObjectSchema,
  Body extends ObjectSchema,
> {
  ctx: Context
  /** Decoded path parameters. */
  params: Record<ParameterOf<Path>, string>
  /** The owner of the request; with `x-team-id`, for that team. */
  owner: Owner
  /** The signed-in user. */
  user: A extends 'session' ? User : undefined
  query: Partial<FieldsOf<Query>>
  body: FieldsOf<Body>
  /** Of an operation that is `idempotent`: what to ask if it reads the body, and to tell what it makes. */
  once: Once
  /**
   * Identifies the client again, for handlers that have read a body: it can be held back until the credential is
   * revoked, or the member has been removed from the team. @throws ServiceError UNAUTHORIZED, FORBIDDEN, NOT_FOUND.
   */
  recheck: () => Promise<void>
}

/** The result of a handler that has sent the answer itself. */
export const SENT = Symbol('sent')

/** An operation with its handler. */
export interface Endpoint extends Operation {
  /** Makes the handler of its requests, once for each server. */
  serve: (kernel: Kernel, edge: Edge) => Middleware
}

/** Endpoints about one thing. Routes, rate limits, metrics and the OpenAPI document all come from here. */
export interface Resource {
  tag: Tag
  /** Parts of response bodies, by the name of their component in the OpenAPI document. */
  schemas?: Readonly<Record<string, ResponseSchema>>
  endpoints: readonly Endpoint[]
}

interface Definition<
  Path extends string,
  A extends Authentication,
  Query extends ObjectSchema,
  Body extends ObjectSchema,
  Result,
> extends Omit<Operation, 'method' | 'path' | 'authentication' | 'query' | 'body' | 'example' | 'answer'> {
  authentication: A
  query?: Query | ((categories: readonly string[]) => Query)
  body?: Body | RawBody
  example?: (pair: SamplePair) => FieldsOf<NoInfer<Body>>
  answer: Answer<Result>
  handle: (
    kernel: Kernel,
    input: Input<Path, A, Query, Body>,
    edge: Edge,
  ) => Reply<NoInfer<Result>> | Promise<Reply<NoInfer<Result>>>
}

type Reply<Result> = Result | typeof SENT | typeof REPEATED

/**
 * Declares an endpoint. The types of parameters, query and body follow from the path and the schemas.
 *
 * Its requests are checked in this order: authentication, team, query, body, and the first two again once the body is
 * read. Then `handle` runs, and its result is sent as the endpoint's answer.
 */
export function endpoint<
  const Path extends string,
  const A extends Authentication,
  const Query extends ObjectSchema = never,
  const Body extends ObjectSchema = never,
  Result = unknown,
>(method: Operation['method'], path: Path, definition: Definition<Path, A, Query, Body, Result>): Endpoint {
  const { handle, ...declared } = definition
  const operation: Operation = { method, path, ...declared }
  const { authentication, forTeams, bodyOptional, readsQuery, idempotent } = operation

  function serve(kernel: Kernel, edge: Edge): Middleware {
    const querySchema = readsQuery ? undefined : querySchemaOf(operation, kernel.catalogue.categories)
    const readQuery = querySchema && createQueryReader(querySchema)
    const bodySchema = bodyOptional ? undefined : jsonBodyOf(operation)
    const checkBody = bodySchema && createCheck(bodySchema, 'The body')

    async function requireClient(ctx: Context) {
      const user = authentication === 'session' ? requireSession(ctx) : undefined
      if (authentication === 'account') requireAccount(ctx)
      return { user, owner: forTeams ? await actingOwner(kernel, ctx) : ctx.state.owner }
    }

    return async (ctx) => {
      ctx.state.served = operation
      let client = await requireClient(ctx)
      const recheck = async () => {
        await edge.identify(ctx, async () => {})
        client = await requireClient(ctx)
      }
      const query = readQuery?.(ctx) ?? {}
      const body = checkBody?.(await readJson(ctx))
      if (checkBody) await recheck()
      const answer = async (once: Once) => {
        if (checkBody && (await once.isRepeated(() => body))) return REPEATED
        // The schemas, from which the types follow, were checked above.
        const input = { ctx, params: ctx.params, ...client, query, body, once, recheck } as Input<Path, A, Query, Body>
        const result = await handle(kernel, input, edge)
        if (result === SENT) return undefined
        return result === REPEATED ? REPEATED : await send(kernel, ctx, definition, result)
      }
      if (idempotent) await handleOnce(kernel, ctx, client.owner, operation.id, answer)
      else await answer(UNKEYED)
    }
  }
  return { ...operation, serve }
}

/** Sends the result of a handler as the answer that the endpoint declares. Returns it as it can be sent again. */
async function send<Result>(
  { config }: Kernel,
  ctx: Context,
  { answer: { status, body, location }, cacheable }: { answer: Answer<Result>; cacheable?: true | undefined },
  result: Result,
): Promise<StoredAnswer | undefined> {
  const path = location?.(result)
  const place = path && publicPath(config, path)
  if (place) ctx.set('Location', place)
  if (!body) {
    ctx.status = status
    return undefined
  }
  const shown = body.present(result)
  if (cacheable) await sendCacheable(ctx, shown)
  else sendJson(ctx, shown, status)
  return { status, ...(place && { location: place }), body: shown }
}

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
