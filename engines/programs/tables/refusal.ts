/** Why a table was refused: one sentence without paths. */
export class Refusal extends Error {
  readonly code: 'CONVERSION_ERROR' | 'RESOURCE_LIMIT'

  constructor(message: string, code: Refusal['code'] = 'CONVERSION_ERROR') {
    super(message)
    this.code = code
  }
}
