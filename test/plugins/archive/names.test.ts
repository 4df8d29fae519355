/** Names in historical and regional character sets. */
import { execFileSync } from 'node:child_process'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { zip } from '../../detection/build.ts'
import { listing } from './listing.ts'
import { packing } from './packing.ts'
import { rawTar } from './tar.ts'

const { convert, failure } = await packing(t)

const names: Record<string, string[]> = {
  CP866: ['Отчёт за 2020 год.doc', 'ПРИВЕТ.txt', 'фото/Новая папка/файл.jpg'],
  CP1251: ['Документ Microsoft Word.doc', 'привет.txt'],
  GBK: ['新建文件夹/照片.jpg', '审计报告.txt', '联通.txt'],
  CP932: ['漢字.txt', '表だよ/一覧表.txt', 'テスト.txt'],
  CP949: ['한글.txt', '새 폴더/문서.txt'],
  CP437: ['Übersicht.txt', 'café/Größe.txt'],
  'UTF-8': ['naïve ☂.txt', '日本語/файл.txt'],
}

const encoded = (name: string, charset: string) =>
  execFileSync('iconv', ['-f', 'UTF-8', '-t', charset], { input: name })

/** Names of entries other than folders. */
const files = async (bytes: Buffer, to: string) =>
  Object.entries(await listing(bytes, to))
    .filter(([, what]) => !what.startsWith('folder'))
    .map(([name]) => name)

for (const [charset, list] of Object.entries(names))
  t.test(charset, async (t) => {
    const raw = list.map((name) => encoded(name, charset))
    const zipped = zip(Object.fromEntries(raw.map((name) => [name.toString('latin1'), ''])))
    const tarred = gzipSync(rawTar(raw.map((name) => ({ name }))))
    t.same(await files(await convert(zipped, 'zip>tar'), 'tar'), [...list].sort(), 'zip to tar')
    t.same(await files(await convert(tarred, 'tar.gz>7z'), '7z'), [...list].sort(), 'tar.gz to 7z')
  })

/** A record of an extended header. */
function record(key: string, value: Buffer | string): Buffer {
  const rest = Buffer.concat([Buffer.from(` ${key}=`), Buffer.from(value as string), Buffer.from('\n')])
  const length = [2, 3].map((digits) => rest.length + digits).find((sum) => String(sum).length === sum - rest.length)
  return Buffer.concat([Buffer.from(`${length}`), rest])
}

t.test('extended headers whose names are not in UTF-8, though they must be', async (t) => {
  const list = names.CP1251!
  const member = (name: string, ...more: Buffer[]) => [
    { name: 'PaxHeader', type: 'x', content: Buffer.concat([record('path', encoded(name, 'CP1251')), ...more]) },
    { name: 'short', content: 'text', target: '' },
  ]
  const comment = { name: 'pax_global_header', type: 'g', content: record('comment', 'made of a commit') }
  const byGnu = 'a longer name, as GNU tar writes it.txt'
  const gnu = [
    { name: '././@LongLink', type: 'L', content: `${byGnu}\0` },
    { name: 'a longer na', content: 'text' },
  ]
  const source = rawTar([comment, ...list.flatMap((name) => member(name)), ...gnu])
  for (const [bytes, from] of [
    [source, 'tar'],
    [gzipSync(source), 'tar.gz'],
  ] as const)
    t.same(await files(await convert(bytes, `${from}>zip`), 'zip'), [...list, byGnu].sort(), from)

  const refused = {
    'a wrong checksum': source.fill('y', source.lastIndexOf('short'), source.lastIndexOf('short') + 1),
    'a path upward': rawTar(member(`../${list[0]}`)),
  }
  for (const [what, bytes] of Object.entries(refused))
    t.equal((await failure(bytes, 'tar>zip')).code, 'CONVERSION_ERROR', what)
})
