import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import t from 'tap'
import { detect, peekFile } from './detection.ts'

const corpus = process.env.ATHANOR_CORPUS ?? join(import.meta.dirname, '../../../shared/corpus')
const list = join(corpus, 'video-audio-archive/labelled.tsv')

/**
 * The list names rarer compressed tars by their compressor, and a self-extractor a program only. Here,
 * each such tar is a separate format, and the archive behind a program is what is converted.
 */
const NAMED_MISSES = ['fixture.tar.lz', 'names-cp866.tar.z', 'sfx-zip.exe', 'tika.tar.z']

/** Members of families that only their names distinguish, and formats without a signature. */
const NAMELESS_MISSES = [
  'a.txt.br',
  'chapters.m4b',
  'fixture.tar.bz2',
  'fixture.tar.lz4',
  'fixture.tar.xz',
  'gst-mpeg2.vob',
  'part.scad',
  'plate2d.scad',
  'rich.cbz',
  'sample.pps',
  'sfx-zip.exe',
  'text.br',
  'tiny-ps.ai',
  'two.tar.xz',
]

async function misses(named: boolean): Promise<string[]> {
  const rows = readFileSync(list, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'))
  const missed: string[] = []
  for (const [path = '', format, category] of rows) {
    await using file = await peekFile(join(corpus, path))
    const seen = await detect(file, named ? basename(path) : '')
    const extension = seen && 'extension' in seen ? seen.extension : undefined
    if (extension !== (category === 'none' ? undefined : format)) missed.push(basename(path))
  }
  return missed.sort()
}

t.test('labelled files', { skip: !existsSync(list) && 'no corpus here' }, async (t) => {
  t.same(await misses(true), NAMED_MISSES)
  t.same(await misses(false), NAMELESS_MISSES)
})
