import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs'

const PERIOD = 500

/**
 * Prints the progress twice per second, as a line of JSON. It is measured by the positions of the programs' descriptors
 * in the input (proc(5), fdinfo).
 *
 * @param programs ids of the processes that may be reading the input
 */
export function reportProgress(input: string, programs: ReadonlySet<number>): void {
  const { size } = statSync(input)
  setInterval(() => {
    const places = [...programs].flatMap((pid) => placesOf(pid, input))
    if (places.length > 0 && size > 0)
      console.log(JSON.stringify({ progress: Math.min(0.99, Math.max(...places) / size) }))
  }, PERIOD).unref()
}

function placesOf(pid: number, input: string): number[] {
  try {
    return readdirSync(`/proc/${pid}/fd`)
      .filter((descriptor) => readlinkSync(`/proc/${pid}/fd/${descriptor}`) === input)
      .map((descriptor) =>
        Number(/^pos:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/fdinfo/${descriptor}`, 'latin1'))?.[1] ?? 0),
      )
  } catch {
    // The process has ended, or closed a descriptor.
    return []
  }
}
