import { sharp } from '../../engines/sharp.ts'
import { svgo } from '../../engines/svg.ts'
import type { Engine, Job, Route, Run } from '../../kernel/contract.ts'
import type { VectorOptions } from './options.ts'
import { pageShortcuts } from './pages.ts'
import { readers } from './readers.ts'
import type { Reader, Shortcut, Writer } from './stages.ts'
import { writers } from './writers.ts'

/** The only file becomes the result; several become a zip of pages. */
async function finish(job: Job<VectorOptions>, run: Run, files: string[], place: (file: string) => Promise<unknown>) {
  if (files.length === 1) await place(files[0]!)
  else await run(sharp, [JSON.stringify({ task: 'zip', files, name: job.name, output: job.pages })])
}

/** Engines of a route: the first is the one that the catalogue shows; the zip is sharp's worker's. */
function engines(first: Engine, others: readonly Engine[], paged = false) {
  const uses = new Set([...others, ...(paged ? [sharp] : [])])
  uses.delete(first)
  return { engine: first, uses: [...uses] }
}

function through(reader: Reader, writer: Writer): Route<VectorOptions> {
  const leader = reader.from.includes('svg') || reader.from.includes('svgz') ? writer : reader
  const others = [reader.engine, ...(reader.uses ?? []), writer.engine, ...(writer.uses ?? [])]
  return {
    ...{ from: reader.from, to: writer.to },
    ...engines(leader.engine, others, reader.paged),
    needs: leader === reader ? (reader.needs ?? []) : [],
    convert: async (job, run) => {
      const drawings = await reader.read(job, run)
      if (drawings.length === 1) return void (await writer.write(job, run, { input: drawings[0]!, output: job.output }))
      const files: string[] = []
      for (const [index, input] of drawings.entries()) {
        const output = `${job.scratch}/result-${index + 1}.${job.to}`
        await writer.write(job, run, { input, output })
        files.push(output)
      }
      await finish(job, run, files, async () => {})
    },
  }
}

const directly = ({ make, ...shortcut }: Shortcut): Route<VectorOptions> => ({
  ...{ from: shortcut.from, to: shortcut.to },
  ...engines(shortcut.engine, shortcut.uses ?? [], true),
  // The last step writes where it is told; a single page is written once more, to its place.
  convert: async (job, run) => {
    const files = await make(job, run)
    const input = files[0]!
    await finish(job, run, files, () =>
      run(sharp, [JSON.stringify({ task: 'smaller', files: [input], output: job.output })]),
    )
  },
})

/** SVG in as few bytes as it looks the same with. */
const smaller: Route<VectorOptions> = { transform: ['svg'], engine: svgo, args: () => ['smaller'] }

/** Shortcuts first; then every reader with every writer. */
export const conversions: Route<VectorOptions>[] = [
  ...pageShortcuts.map(directly),
  ...readers.flatMap((reader) => writers.map((writer) => through(reader, writer))),
  smaller,
].filter((route) => 'transform' in route || route.from.some((from) => route.to.some((to) => to !== from)))
