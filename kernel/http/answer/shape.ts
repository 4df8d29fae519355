import type { SamplePair } from '../openapi/sample-pair.ts'
import type { ResponseSchema } from './response-schema.ts'

/** A JSON body of an answer. The service sends it, and the OpenAPI document shows it, by the same function. */
export interface Shape<Result> {
  /** Name of its component in the OpenAPI document. Without a name, the schema stands where it is used. */
  name?: string
  schema: ResponseSchema
  /** Converts a result to what clients see. */
  present: (result: Result) => object
  /** Returns the example in the OpenAPI document. Not needed if another answer shows the same. */
  example?: (pair: SamplePair) => object
}

/** Makes a shape. @param present Converts a result to what clients see. @param sample A result for the example. */
export const shape = <Result>(
  name: string,
  schema: ResponseSchema,
  present: (result: Result) => object,
  sample?: (pair: SamplePair) => NoInfer<Result>,
): Shape<Result> => ({ name, ...envelope(schema, present, sample) })

/** The same shape for another answer, without its example, which the document then shows once. */
export const bare = <Result>({ example: _, ...rest }: Shape<Result>): Shape<Result> => rest

/** Makes a shape that only one answer has. It needs no name: its schema stands where it is used. */
export const envelope = <Result>(
  schema: ResponseSchema,
  present: (result: Result) => object,
  sample?: (pair: SamplePair) => NoInfer<Result>,
): Shape<Result> => ({ schema, present, ...(sample && { example: (pair) => present(sample(pair)) }) })
