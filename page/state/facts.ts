/** Facts that the service embeds in the HTML of the page. */
export interface Facts {
  /** The operator's name for the service. */
  name: string
  notice?: string
  /** URL of information about the operator. */
  imprint?: string
  /** Size limit of a guest's file in bytes; null: no limit. */
  maxFileSize: number | null
  /** Limit of a guest's pending conversions; null: no limit. */
  pendingJobs: number | null
  /** Limit of the files in a guest's batch; null: no limit. */
  filesPerBatch: number | null
  /** How long a guest's files are kept, in milliseconds. */
  retention: number
}

/** Whether the service would refuse a file of this size, in bytes. */
export const isTooLarge = ({ maxFileSize }: Facts, size: number) => maxFileSize !== null && size > maxFileSize

export const readFacts = (): Facts => JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=athanor]')!.content)
