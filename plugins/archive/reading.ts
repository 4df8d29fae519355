import { sevenZip, sevenZipList } from '../../engines/7zip.ts'
import { arj } from '../../engines/arj.ts'
import { bsdtar, bsdtarFrames } from '../../engines/libarchive.ts'
import { unar } from '../../engines/unar.ts'
import type { Engine, Job, Route } from '../../kernel/contract.ts'
import { compressedTar } from '../formats/archive/archives.ts'
import type { ArchiveOptions } from './options.ts'
import { command, type Reading, repack } from './spec.ts'
import { targets as to } from './writing.ts'

/** As a stream of entries, without a folder in between. */
const streamed: Reading = { source: (job) => ({ kind: 'tar', read: [command(bsdtar, bsdtar.argv(job, []))] }) }

/** The same for archives that have checksums, or methods which bsdtar does not know. */
const proved: Reading = {
  source: (job) => ({ ...streamed.source(job), proof: command(bsdtar, bsdtarFrames.contents(job.input)) }),
}

/** A Debian package: an archive whose member `data.tar` holds the files. */
const inner: Reading = {
  source: ({ input }) => ({
    kind: 'tar',
    read: [command(bsdtar, bsdtarFrames.contents(input, 'data.tar*')), command(bsdtar, bsdtarFrames.piped)],
  }),
}

/** By a command that unpacks into a folder, which is read as a tar. */
const unpacked = (unpack: (job: Job<ArchiveOptions>, folder: string) => string[]): Reading => ({
  source: (job) => {
    const folder = `${job.scratch}/tree`
    return { kind: 'folder', folder, unpack: unpack(job, folder), read: [command(bsdtar, bsdtarFrames.folder(folder))] }
  },
})

const unpackedBy = (engine: Engine) =>
  unpacked((job, folder) => command(engine, engine.argv({ ...job, output: folder }, [])))

const bySevenZip: Reading = {
  source: (job) => ({ ...unpackedBy(sevenZip).source(job), list: command(sevenZip, sevenZipList(job.input)) }),
}

const byUnar = unpackedBy(unar)

const byBsdtar = unpacked((job, folder) => command(bsdtar, bsdtarFrames.unpack(job.input, folder)))

/** As a stream, bsdtar stops at names that are not UTF-8 where the format asks for UTF-8. */
const tar: Reading = { ...streamed, exception: { when: 'names', source: byBsdtar.source } }

/** As a stream, bsdtar loses the content of files with several names. */
const cpio: Reading = { ...streamed, exception: { when: 'links', source: byBsdtar.source } }

/** bsdtar gives wrong bytes for some RAR before version 5; unar leaves some of later versions incomplete. */
const rar: Reading = { ...streamed, exception: { when: 'rar4', source: byUnar.source } }

/** bsdtar does not know the file system of large discs. */
const iso: Reading = { ...streamed, exception: { when: 'udf', source: bySevenZip.source } }

/** Archives that most people know. */
const plain = ['zip', '7z', 'tar']

/** Archives of files. A later reader tries what an earlier one refused. */
export const archives: Route<ArchiveOptions>[] = [
  { from: ['cpio', 'rpm'], to, ...repack(bsdtar, cpio) },
  // The directory of a zip has the sums.
  { from: ['zip', 'jar', 'ar'], to, ...repack(bsdtar, streamed) },
  { from: ['7z', 'cab', 'lha'], to, ...repack(bsdtar, proved) },
  { from: ['tar', ...compressedTar], to, ...repack(bsdtar, tar) },
  // A comic is an archive of pictures.
  { from: ['cbz', 'cbt'], to: plain, ...repack(bsdtar, streamed) },
  { from: ['cb7'], to: plain, ...repack(bsdtar, proved) },
  { from: ['cbr'], to: plain, ...repack(bsdtar, rar, unar) },
  { from: ['iso'], to, ...repack(bsdtar, iso, sevenZip) },
  { from: ['deb'], to, ...repack(bsdtar, inner) },
  { from: ['rar'], to, ...repack(bsdtar, rar, unar) },
  { from: ['rar', 'lha'], to, ...repack(unar, byUnar) },
  { from: ['arj'], to, ...repack(arj, unpackedBy(arj)) },
  { from: ['wim', 'zip', 'jar', '7z', 'cab'], to, ...repack(sevenZip, bySevenZip) },
]

/** The same format, smaller. */
export const optimisations: Route<ArchiveOptions>[] = [
  { transform: ['zip'], ...repack(bsdtar, streamed) },
  { transform: ['7z'], ...repack(bsdtar, proved) },
  { transform: ['zip', '7z'], ...repack(sevenZip, bySevenZip) },
]
