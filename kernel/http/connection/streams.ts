import type { Kernel } from '../../boot/kernel.ts'
import { lanesAround, WIDER } from '../../database/lanes.ts'
import { ServiceError } from '../../errors.ts'
import type { Owner } from '../../people/owner.ts'

/** Between two checks of the credentials. Other changes of an operator take effect as fast. */
const CHECK_INTERVAL_MS = 5000

/** Who reads a stream. */
export interface StreamReader {
  owner: Pick<Owner, 'id' | 'client'>
  /** Tells credentials apart. Each is checked once, however many streams it has. */
  credential: string
  /** @throws ServiceError if the client may not read any more. */
  check: () => Promise<unknown>
}

/** The open streams of all owners. */
export type Streams = ReturnType<typeof createStreams>

/**
 * An owner, then the network of a guest and the ones around it. Each may have `WIDER` times as many streams as the one
 * before.
 */
const groupsOf = ({ owner: { id, client } }: StreamReader) => [...new Set([id, ...lanesAround(client)])]

/** Limits the streams of events. When the service stops, every stream ends. */
export function createStreams({ config, log, stopping }: Kernel) {
  /** In the order in which they were opened. */
  const streams = new Map<AbortController, StreamReader & { groups: readonly string[] }>()
  let timer: NodeJS.Timeout | undefined
  stopping.addEventListener('abort', () => endAll(), { once: true })

  function endAll(which: (reader: StreamReader) => boolean = () => true): void {
    for (const [end, reader] of streams) if (which(reader)) end.abort()
  }

  async function check(): Promise<void> {
    const byCredential = new Map([...streams.values()].map((reader) => [reader.credential, reader]))
    for (const { credential, check } of byCredential.values()) {
      try {
        await check()
      } catch (error) {
        // If the database does not answer, nobody knows. The next check does.
        if (error instanceof ServiceError) endAll((reader) => reader.credential === credential)
        else log.warn({ err: error }, 'the credential of a stream cannot be checked')
      }
    }
  }

  function leave(end: AbortController): void {
    streams.delete(end)
    if (streams.size) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    /** Returns a signal that aborts when the stream must end, at the latest when `gone` aborts. */
    open(reader: StreamReader, gone: AbortSignal) {
      const { streams: max, streamLifetime } = config.http
      const end = new AbortController()
      const groups = groupsOf(reader)
      for (const [level, group] of groups.entries()) {
        const own = [...streams].filter(([, { groups }]) => groups.includes(group))
        if (own.length >= max * WIDER ** level) own[0]?.[0].abort()
      }
      streams.set(end, { ...reader, groups })
      const late = setTimeout(() => end.abort(), streamLifetime)
      late.unref()
      end.signal.addEventListener(
        'abort',
        () => {
          clearTimeout(late)
          leave(end)
        },
        { once: true },
      )
      timer ??= setInterval(check, CHECK_INTERVAL_MS).unref()
      gone.addEventListener('abort', () => end.abort(), { once: true })
      if (gone.aborted || stopping.aborted) end.abort()
      return end.signal
    },
  }
}
