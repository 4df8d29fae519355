import type { Args, Engine, Job, Step } from '../kernel/contract.ts'
import { archive } from './archive.ts'
import { bsdtar, bsdtarFrames } from './libarchive.ts'
import type { Source, Spec } from './programs/archive/spec.ts'
import { pythonProgram, versionWith } from './python/program.ts'
import { unar } from './unar.ts'

const { command, ...own } = pythonProgram('comic', 'pages.py')

/** Takes the pages of a comic out of a zip, in reading order, into a zip, or with `--pdf` into a PDF. */
export const comic: Engine = {
  ...own,
  name: 'comic',
  version: versionWith('img2pdf', 'PIL'),
  package: 'python3-img2pdf',
  argv: (job, args) => [command, args, job.input, job.output],
}

const GIGABYTE = 2 ** 30

const line = (engine: Engine, args: Args): string[] => [engine.binary[0]!, ...args.flat(9).map(String)]

/** bsdtar gives wrong bytes for some RAR before version 5, which unar reads. */
function specOf(job: Job, output: string): Spec {
  const folder = `${job.scratch}/tree`
  const unpacked: Source = {
    kind: 'folder',
    folder,
    unpack: line(unar, unar.argv({ ...job, output: folder }, [])),
    read: [line(bsdtar, bsdtarFrames.folder(folder))],
  }
  return {
    input: job.input,
    output,
    scratch: job.scratch,
    source: {
      kind: 'tar',
      read: [line(bsdtar, bsdtar.argv(job, []))],
      // Silent about damage of 7z.
      ...(job.from === 'cb7' && { proof: line(bsdtar, bsdtarFrames.contents(job.input)) }),
    },
    exception: { when: 'rar4', source: unpacked },
    write: line(bsdtar, bsdtarFrames.write(output, ['--format=zip'])),
    rules: {
      wholeFiles: true,
      anyLinks: false,
      backslashes: true,
      manifest: false,
      smaller: false,
      limits: { entries: 20_000, bytes: Math.min(4 * GIGABYTE, Math.max(GIGABYTE, 20 * job.size)) },
    },
  }
}

/** Unpacks a comic of any kind (cbz, cbr, cb7, cbt) into a zip. Refuses paths that lead outside. */
export const unpackComic: Step = {
  engine: archive,
  uses: [bsdtar, unar],
  output: 'comic.zip',
  args: (job, { output }) => [JSON.stringify(specOf(job, output))],
}
