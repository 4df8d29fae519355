import { sevenZip } from '../../engines/7zip.ts'
import { arj } from '../../engines/arj.ts'
import { bsdcat, bsdtar, bsdtarFrames } from '../../engines/libarchive.ts'
import { unar } from '../../engines/unar.ts'
import type { Engine, Job, Route } from '../../kernel/contract.ts'
import { compressedTar } from '../formats/archive/archives.ts'
import type { ArchiveOptions } from './options.ts'
import { by, command, type Way } from './spec.ts'
import { targets as to } from './writing.ts'

/** Entry by entry, without a folder in between. */
const streamed: Way = { source: (job) => ({ kind: 'tar', read: [command(bsdtar, bsdtar.argv(job, []))] }) }

/** A package: an archive that has one of files in it. */
const inner: Way = {
  source: ({ input }) => ({
    kind: 'tar',
    read: [command(bsdtar, bsdtarFrames.member(input, 'data.tar*')), command(bsdtar, bsdtarFrames.piped)],
  }),
}

/** For programs that give no stream: into a folder, and that as a tar. */
const unpacked = (engine: Engine): Way => ({
  source: (job: Job<ArchiveOptions>) => {
    const folder = `${job.scratch}/tree`
    return {
      ...{ kind: 'folder', folder },
      unpack: command(engine, engine.argv({ ...job, output: folder }, [])),
      read: [command(bsdtar, bsdtarFrames.folder(folder))],
    }
  },
})

const byUnar = unpacked(unar)

/** bsdtar would lose the data of files with several names, but reads what came before the format that is usual now. */
const cpio: Way = {
  source: (job) => ({ kind: 'cpio', read: [command(bsdcat, bsdcat.argv(job, []))] }),
  older: { kind: 'old-cpio', source: streamed.source },
}

/** bsdtar gives wrong bytes for some RAR of before version 5, and unar leaves some of later ones incomplete. */
const rar: Way = { ...streamed, older: { kind: 'rar4', source: byUnar.source } }

/** bsdtar does not know the file system of large discs. */
const iso: Way = { ...streamed, older: { kind: 'udf', source: unpacked(sevenZip).source } }

/** Archives of many files. What the first reader refuses, another may know. */
export const archives: Route<ArchiveOptions>[] = [
  { from: ['cpio', 'rpm'], to, ...by(bsdcat, cpio) },
  { from: ['zip', 'jar', '7z', 'tar', ...compressedTar, 'cab', 'lha', 'ar'], to, ...by(bsdtar, streamed) },
  { from: ['iso'], to, ...by(bsdtar, iso, sevenZip) },
  { from: ['deb'], to, ...by(bsdtar, inner) },
  { from: ['rar'], to, ...by(bsdtar, rar, unar) },
  { from: ['rar', 'lha'], to, ...by(unar, byUnar) },
  { from: ['arj'], to, ...by(arj, unpacked(arj)) },
  { from: ['wim', 'zip', 'jar', '7z', 'cab'], to, ...by(sevenZip, unpacked(sevenZip)) },
]

/** The same format, smaller. */
export const optimisations: Route<ArchiveOptions>[] = [
  { transform: ['zip', '7z'], ...by(bsdtar, streamed) },
  { transform: ['zip', '7z'], ...by(sevenZip, unpacked(sevenZip)) },
]
