import { constants, copyFile, rm, stat } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { refusal } from './complaints.ts'
import { convert } from './convert.ts'
import { sharp } from './library.ts'
import { look } from './look.ts'
import { paper } from './paper.ts'
import type { Answer, ConvertedPage, Smaller, Spec } from './spec.ts'
import { zip } from './zip.ts'

/**
 * The sharp engine. Prints `ready`. Each line of input is a JSON array with one spec. The last line of each answer is
 * `{"done":true}` or `{"error":{"code":…,"message":…}}`. The worker keeps nothing between jobs.
 */
const gone = { recursive: true, force: true }
const write = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
const say = (answer: Answer) => write(answer)

async function perform(spec: Spec): Promise<void> {
  if (spec.task === 'convert') sayPages(await convert(spec, steps()))
  else if (spec.task === 'paper') await paper(spec, steps())
  else if (spec.task === 'look') say({ look: await look(spec.input) })
  else if (spec.task === 'discard') await Promise.all(spec.folders.map((folder) => rm(folder, gone)))
  else if (spec.task === 'zip') await zip(spec)
  else if (spec.task === 'smaller') await smaller(spec)
  else say({ sizes: (await Promise.all(spec.files.map((file) => stat(file)))).map(({ size }) => size) })
}

/** The service reads at most 8 KiB of each line. */
function sayPages(pages: ConvertedPage[]): void {
  for (let first = 0; first < pages.length; first += 40) say({ pages: pages.slice(first, first + 40) })
}

/** Reports progress, at most 100 times. */
function steps(): (done: number) => void {
  let said = 0
  return (done) => {
    const progress = Math.floor(done * 100) / 100
    if (progress > said) say({ progress: (said = progress) })
  }
}

async function smaller({ files, output }: Smaller): Promise<void> {
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size || Infinity,
        () => Infinity,
      ),
    ),
  )
  const best = files[sizes.indexOf(Math.min(...sizes))]!
  await copyFile(best, output, constants.COPYFILE_FICLONE)
}

if (process.argv[2] === '--version') console.log(`sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}`)
else {
  process.stdout.write('ready\n')
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      const [argument] = JSON.parse(line) as [string]
      await perform(JSON.parse(argument) as Spec)
      write({ done: true })
    } catch (error) {
      // For the operator's log only.
      console.error(error)
      const { code, message } = refusal(error)
      write({ error: { code, message } })
    }
  }
}
