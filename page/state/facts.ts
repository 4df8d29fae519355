/**
 * Facts that the service embeds in the HTML of the page. The limits are those of guests; after a sign-in, `applyLimits`
 * sets those of the account.
 */
export interface Facts {
  /** The operator's name for the service. */
  name: string
  notice?: string
  /** URL of information about the operator. */
  imprint?: string
  /** Size limit of a file in bytes; null: no limit. */
  maxFileSize: number | null
  /** Limit of pending conversions; null: no limit. */
  pendingJobs: number | null
  /** Limit of the files in a batch; null: no limit. */
  filesPerBatch: number | null
  /** Limit of conversions per day (UTC); null: no limit; 0: guests cannot convert. */
  conversionsPerDay: number | null
  /** Limit of the bytes of source files per day (UTC); null: no limit. */
  bytesPerDay: number | null
  /** How long files are kept, in milliseconds. */
  retention: number
  /** The same for accounts. */
  accountRetention: number
  /** Conversions per day of a new account, if it has more than a guest; undefined: not, or somebody is signed in. */
  signedIn?: number
  /** Whether there are accounts, or can be. */
  accounts: boolean
  /** Whether anybody may register. */
  registration: boolean
  /** Whether the service sends mail, such as the link for a new password. */
  mail: boolean
  /** Whether people can sign in with providers, such as Google. */
  providers: boolean
  /** Whether a proxy signs the reader in, so that there is no session. */
  vouched?: true
}

/** Whether the service would refuse a file of this size, in bytes. */
export const isTooLarge = ({ maxFileSize }: Facts, size: number) => maxFileSize !== null && size > maxFileSize

/** Limits that an account has too. */
export type Limits = Pick<Facts, 'maxFileSize' | 'pendingJobs' | 'filesPerBatch' | 'conversionsPerDay' | 'bytesPerDay'>

/** Sets the limits of the account that is signed in. */
export function applyLimits(facts: Facts, limits: Limits): void {
  const { maxFileSize, pendingJobs, filesPerBatch, conversionsPerDay, bytesPerDay } = limits
  Object.assign(facts, { maxFileSize, pendingJobs, filesPerBatch, conversionsPerDay, bytesPerDay })
  facts.retention = facts.accountRetention
  delete facts.signedIn
}

export const readFacts = (): Facts => JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=athanor]')!.content)
