/** Why a document was refused: a code of the contract, and one sentence without paths. */
export class Refusal extends Error {
  readonly code: 'CONVERSION_ERROR' | 'RESOURCE_LIMIT' | 'ENCRYPTED_INPUT'

  constructor(code: Refusal['code'], message: string) {
    super(message)
    this.code = code
  }
}
