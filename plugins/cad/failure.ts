import type { FailureCode } from '../../kernel/contract.ts'

/** An error that tells a client why a conversion ended: one sentence without paths. */
export const failure = (code: FailureCode, message: string) => Object.assign(new Error(message), { code })
