import type { Kernel } from '../boot/kernel.ts'
import type { Code, ServiceError } from '../errors.ts'
import type { Owner } from '../people/owner.ts'
import type { Shape } from './answer/shape.ts'
import type { HeaderName } from './openapi/headers.ts'
import type { SamplePair } from './openapi/sample-pair.ts'
import type { RateFamily } from './rates/families.ts'
import type { ObjectSchema } from './request/schema.ts'

/** What groups the operations in the OpenAPI document, with its description there. */
export const TAGS = {
  Files: 'Uploads and downloads.',
  Imports: 'Files from URLs and cloud providers.',
  Conversions: 'Conversions of single files and of batches.',
  Webhooks: 'Events, posted to your server.',
  Agents: 'Tools for language models.',
  Catalogue: 'What this installation can convert.',
  Accounts: 'Users, sign-in and API keys.',
  Teams: 'Accounts that share conversions.',
  Operating: 'For operators; never rate-limited.',
}

export type Tag = keyof typeof TAGS

/**
 * Required authentication. `session`: signed-in users; `account`: these and API keys; `optional`: guests too; `none`:
 * no credentials are checked, as for the operating endpoints.
 */
export type Authentication = 'session' | 'account' | 'optional' | 'none'

/** A request body that is not JSON. The handler reads it. */
export interface RawBody {
  /** Its media type. */
  media: string
  /** Its schema, as OpenAPI describes it. */
  schema: object
  /** The JSON body that clients can send instead. */
  orJson?: ObjectSchema
}

/** A parameter of one operation only. Its value is text. */
export interface OwnParameter {
  name: string
  in: 'path' | 'header'
  description: string
}

/** A successful answer, as the OpenAPI document describes it. */
export interface DescribedAnswer {
  status: number
  description: string
  /** Headers in addition to those of every answer. */
  headers?: readonly HeaderName[]
  /** Media type of a body that is not JSON. */
  media?: string
}

/**
 * The answer that the service sends for a handler's result: JSON by its shape, or 204. An answer that has neither is
 * sent by the handler itself, such as a stream or a redirect.
 */
export interface Answer<Result> extends DescribedAnswer {
  body?: Shape<Result>
  /** Returns the path of the created resource, for the header Location. */
  location?: (result: Result) => string
}

/** The part of a request that the error of another protocol depends on. */
export interface ForeignRequest {
  /** Returns a header; empty without one. */
  get(name: string): string
  /** Sets a header of the answer. */
  set(name: string, value: string): void
  state: { requestId: string }
}

/** An endpoint without its handler: what the router, the rate limits, the metrics and the OpenAPI document read. */
export interface Operation {
  method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters have a colon: `/api/files/:id`. GET answers HEAD too. */
  path: string
  /** Its name in the OpenAPI document, in generated clients and in the metrics. */
  id: string
  authentication: Authentication
  /** The rate family of its requests. `none`: only the ceiling counts them. */
  rate: RateFamily | 'none'
  /** Another family that counts its requests, too. */
  alsoCountedAs?: RateFamily
  /** The family of requests that have a `cursor`. */
  rateOfFurtherPages?: RateFamily
  /** Whether a request may be for a team, by `x-team-id`. */
  forTeams?: true
  /** Whether a request with an `Idempotency-Key` has its effect once. */
  idempotent?: true
  /** Whether the answer is the same for every client: it is sent compressed, and with a validator. */
  cacheable?: true
  /** Whether clients poll it: its log lines have the level debug. */
  polled?: true
  /** Whether it answers plain HTTP in production, since probes inside a cluster speak it. */
  plainHttp?: true
  /** Whether it answers under any host name, since probes know the machine by its address. */
  anyHost?: true
  /** Whether the OpenAPI document leaves it out, since another specification describes it. */
  undocumented?: true
  /**
   * Of an operation that speaks the protocol of another service, with errors in plain text. Returns the status and the
   * text of an error, and sets the headers that go with it.
   */
  foreignError?: (request: ForeignRequest, error: ServiceError) => { status: number; text: string }
  summary: string
  /** Information for clients in addition to the summary, in whole sentences. */
  description: string
  /** Parameters of path and header that no other operation takes. */
  parameters?: readonly OwnParameter[]
  /** The query parameters. The function gets the categories of the catalogue. */
  query?: ObjectSchema | ((categories: readonly string[]) => ObjectSchema)
  /** Whether the handler reads the query, so that it is not checked before. */
  readsQuery?: true
  body?: ObjectSchema | RawBody
  /** Whether clients may leave out the JSON body. Then the handler reads it. */
  bodyOptional?: true
  /** The JSON body of the example in the OpenAPI document. */
  example?: (pair: SamplePair) => object
  /** The answer for the result of the handler. */
  answer: Answer<never>
  /** Returns the headers of OPTIONS at its path, for clients that ask what they can use. */
  discover?: (kernel: Kernel, owner: Owner) => Readonly<Record<string, string>>
  /** Answers that the handler sends itself in some cases. */
  otherAnswers?: readonly (DescribedAnswer & Pick<Answer<never>, 'body'>)[]
  /** Its own refusals, in addition to those of every operation and of every JSON body. */
  refusals?: readonly Code[]
}

/** The schema of an operation's query. @param categories Those of the catalogue. */
export const querySchemaOf = ({ query }: Operation, categories: readonly string[]): ObjectSchema | undefined =>
  typeof query === 'function' ? query(categories) : query

/** The schema of an operation's JSON body. */
export const jsonBodyOf = ({ body }: Operation): ObjectSchema | undefined =>
  body && 'properties' in body ? body : undefined
