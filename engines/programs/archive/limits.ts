import { Refusal } from '../refusal/refusal.ts'

/** Limits of the unpacked source. */
export interface Limits {
  entries: number
  bytes: number
}

const tooLarge = () =>
  new Refusal('The archive unpacks to far more than its own size, or to more than can be converted', 'RESOURCE_LIMIT')

/** Counts entries and their bytes. The function throws a Refusal as soon as there are more than the limits allow. */
export function counter(limits: Limits): (size: number, isNewEntry?: boolean) => void {
  let entries = 0
  let bytes = 0
  return (size, isNewEntry = true) => {
    if (isNewEntry && ++entries > limits.entries)
      throw new Refusal(`The archive holds more than ${limits.entries} entries`, 'RESOURCE_LIMIT')
    bytes += size
    if (bytes > limits.bytes) throw tooLarge()
  }
}

/** Passes on bytes, up to a limit. */
export async function* limited(chunks: AsyncIterable<Buffer>, max: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.length
    if (bytes > max) throw tooLarge()
    yield chunk
  }
}
