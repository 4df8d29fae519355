import { sevenZip, sevenZipList } from '../../engines/7zip.ts'
import { arj } from '../../engines/arj.ts'
import { bsdcat, bsdtar, bsdtarFrames } from '../../engines/libarchive.ts'
import { unar } from '../../engines/unar.ts'
import type { Engine, Job, Route } from '../../kernel/contract.ts'
import { compressedTar } from '../formats/archive/archives.ts'
import type { ArchiveOptions } from './options.ts'
import { command, type Reading, repack, repackZip } from './spec.ts'
import { targets as to } from './writing.ts'

/** As a stream of entries, without a folder in between. */
const streamed: Reading = { source: (job) => ({ kind: 'tar', read: [command(bsdtar, bsdtar.argv(job, []))] }) }

/** bsdtar stops at names that are not UTF-8 where the format asks for UTF-8. */
const paxed: Reading = { source: (job) => ({ kind: 'tar', read: [command(bsdcat, bsdcat.argv(job, []))] }) }

/** A Debian package: an archive whose member `data.tar` holds the files. */
const inner: Reading = {
  source: ({ input }) => ({
    kind: 'tar',
    read: [command(bsdtar, bsdtarFrames.member(input, 'data.tar*')), command(bsdtar, bsdtarFrames.piped)],
  }),
}

/** For programs that give no stream: they unpack into a folder, which is read as a tar. */
const unpacked = (engine: Engine): Reading => ({
  source: (job: Job<ArchiveOptions>) => {
    const folder = `${job.scratch}/tree`
    return {
      ...{ kind: 'folder', folder },
      unpack: command(engine, engine.argv({ ...job, output: folder }, [])),
      read: [command(bsdtar, bsdtarFrames.folder(folder))],
    }
  },
})

const bySevenZip: Reading = {
  source: (job) => ({ ...unpacked(sevenZip).source(job), list: command(sevenZip, sevenZipList(job.input)) }),
}

const byUnar = unpacked(unar)

/** bsdtar loses the data of files with several names, but reads formats before the usual one. */
const cpio: Reading = {
  source: (job) => ({ kind: 'cpio', read: [command(bsdcat, bsdcat.argv(job, []))] }),
  older: { kind: 'old-cpio', source: streamed.source },
}

/** bsdtar gives wrong bytes for some RAR before version 5; unar leaves some of later versions incomplete. */
const rar: Reading = { ...streamed, older: { kind: 'rar4', source: byUnar.source } }

/** bsdtar does not know the file system of large discs. */
const iso: Reading = { ...streamed, older: { kind: 'udf', source: bySevenZip.source } }

/** Archives that most people know. */
const plain = ['zip', '7z', 'tar']

/** Targets that our own program can write. */
const tars = ['tar', 'tar.gz']

/** Archives of files. A later reader tries what an earlier one refused. */
export const archives: Route<ArchiveOptions>[] = [
  { from: ['cpio', 'rpm'], to, ...repack(bsdcat, cpio) },
  { from: ['zip', 'jar'], to: tars, ...repackZip(bsdtar, streamed) },
  { from: ['zip', 'jar'], to: to.filter((target) => !tars.includes(target)), ...repack(bsdtar, streamed) },
  { from: ['7z', 'tar', ...compressedTar, 'cab', 'lha', 'ar'], to, ...repack(bsdtar, streamed) },
  // A comic is an archive of pictures.
  { from: ['cbz', 'cb7', 'cbt'], to: plain, ...repack(bsdtar, streamed) },
  { from: ['cbr'], to: plain, ...repack(bsdtar, rar, unar) },
  { from: ['iso'], to, ...repack(bsdtar, iso, sevenZip) },
  { from: ['tar', ...compressedTar], to, ...repack(bsdcat, paxed) },
  { from: ['deb'], to, ...repack(bsdtar, inner) },
  { from: ['rar'], to, ...repack(bsdtar, rar, unar) },
  { from: ['rar', 'lha'], to, ...repack(unar, byUnar) },
  { from: ['arj'], to, ...repack(arj, unpacked(arj)) },
  { from: ['wim', 'zip', 'jar', '7z', 'cab'], to, ...repack(sevenZip, bySevenZip) },
]

/** The same format, smaller. */
export const optimisations: Route<ArchiveOptions>[] = [
  { transform: ['zip', '7z'], ...repack(bsdtar, streamed) },
  { transform: ['zip', '7z'], ...repack(sevenZip, bySevenZip) },
]
