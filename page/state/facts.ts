/** What the service tells the page with its document. */
export interface Facts {
  /** The operator's name for the service. */
  name: string
  notice?: string
  /** Where the operator introduces itself. */
  imprint?: string
  /** Bytes that a guest's file may have; null: any. */
  maxFileSize: number | null
  /** Milliseconds for which a guest's files are kept. */
  retention: number
}

export const readFacts = (): Facts => JSON.parse(document.querySelector<HTMLMetaElement>('meta[name=athanor]')!.content)
