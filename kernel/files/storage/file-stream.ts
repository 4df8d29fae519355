import { close, open, read } from 'node:fs'
import { Readable } from 'node:stream'
import { READ } from './storage.ts'

/** The error of a stream whose file ends before the announced length. */
export const tooShort = () => new Error('a stored file is shorter than recorded')

/** Streams a range of a local file; `end` is inclusive. Fails if the file ends before it. */
export function openLocal(path: string, { start, end }: { start: number; end: number }): Readable {
  let file: number | undefined
  let position = start
  let ended: (() => void) | undefined
  let reading = false

  return new Readable({
    highWaterMark: READ,
    construct: (done) =>
      open(path, (error, fd) => {
        file = fd
        done(error)
      }),
    read() {
      const length = Math.min(READ, end + 1 - position)
      if (length <= 0) return void this.push(null)
      const buffer = Buffer.allocUnsafeSlow(length)
      reading = true
      // biome-ignore lint/style/noNonNullAssertion: Node reads only after `construct`.
      read(file!, buffer, 0, length, position, (error, count) => {
        reading = false
        if (ended) return ended()
        if (error || !count) return void this.destroy(error ?? tooShort())
        position += count
        this.push(count === buffer.length ? buffer : buffer.subarray(0, count))
      })
    },
    destroy(error, done) {
      const end = () => (file === undefined ? done(error) : close(file, (failed) => done(error ?? failed)))
      // The number of a closed file can be that of another one before the read begins.
      if (reading) ended = end
      else end()
    },
  })
}
