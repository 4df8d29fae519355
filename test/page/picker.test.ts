/** The list of targets: what people say is found, in every language, and frequent targets come first. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import type { Format } from '../../client/client.ts'
import { groupTargets, searchTargets } from '../../page/picker/choices.ts'
import type { Words } from '../../page/picker/words.ts'
import { SAME, wantedTargets } from '../../page/state/wanted.ts'

const texts = join(import.meta.dirname, '../../page')
const read = (path: string) => JSON.parse(readFileSync(join(texts, path), 'utf8'))
const wordsOf = (language: string): Words => read(`picker/texts/${language}.json`)

const CATEGORIES: Record<string, string> = {
  document: 'pdf docx doc xlsx pptx txt html csv odt rtf md md.zip ocr.pdf pdfa.pdf tex org xls',
  image: 'jpg png webp gif avif tif ico bmp qoi',
  video: 'mp4 webm mov',
  audio: 'mp3 wav m4a m4r flac',
  archive: 'zip 7z tar.gz',
  ebook: 'epub azw3 mobi',
  cad: 'stl obj',
}
const formats = new Map(
  Object.entries(CATEGORIES).flatMap(([category, list]) =>
    list
      .split(' ')
      .map((extension): [string, Pick<Format, 'category' | 'aliases' | 'targets'>] => [
        extension,
        { category, aliases: extension === 'jpg' ? ['jpeg'] : [], targets: [] },
      ]),
  ),
)
const ALL = [...formats.keys(), SAME]

/** What people say in each language, and the first target that is found for it. */
const SAID: Record<string, string> = {
  en: 'word>docx excel>xlsx picture>jpg smaller>SAME searchable>ocr.pdf archive>pdfa.pdf llm>md.zip',
  de: 'word>docx tabelle>xlsx bild>jpg kleiner>SAME musik>mp3 durchsuchbar>ocr.pdf archiv>pdfa.pdf sprachmodell>md.zip',
  fr: 'word>docx tableau>xlsx image>jpg réduire>SAME musique>mp3 recherche>ocr.pdf archive>pdfa.pdf ia>md.zip',
  es: 'word>docx tabla>xlsx foto>jpg reducir>SAME música>mp3 buscable>ocr.pdf archivo>pdfa.pdf ia>md.zip',
  pt: 'word>docx planilha>xlsx foto>jpg reduzir>SAME música>mp3 pesquisável>ocr.pdf arquivo>pdfa.pdf ia>md.zip',
  zh: 'word>docx 表格>xlsx 文本>txt 图片>jpg 缩小>SAME 音乐>mp3 可搜索>ocr.pdf 存档>pdfa.pdf 大模型>md.zip',
  ja: 'ワード>docx エクセル>xlsx テキスト>txt 写真>jpg 小さく>SAME 音楽>mp3 検索>ocr.pdf アーカイブ>pdfa.pdf 生成AI>md.zip',
  ar: 'وورد>docx إكسل>xlsx نص>txt صورة>jpg تصغير>SAME موسيقى>mp3 بحث>ocr.pdf أرشيف>pdfa.pdf ذكاء>md.zip',
}
for (const [language, said] of Object.entries(SAID)) {
  t.test(`what people say: ${language}`, async (t) => {
    const table = read(`texts/${language}.json`)
    const find = (query: string) =>
      searchTargets(ALL, query, formats, [wordsOf(language), wordsOf('en')], (id) => table[`group.${id}`] ?? id)
    for (const pair of `${said} word>docx excel>xlsx jpeg>jpg`.split(' ')) {
      const [query, target] = pair.split('>') as [string, string]
      t.equal(find(query)[0], target.replace('SAME', SAME), `${query}: ${find(query).slice(0, 4).join(' ')}`)
    }
    t.strictSame(find('zzz'), [])
    t.strictSame(Object.keys(wordsOf(language)), Object.keys(wordsOf('en')), 'nothing is missing')
    for (const text of Object.values(wordsOf(language))) t.match(text, /^\S(.*\S)?$/)
  })
}

t.test('codes come before what people say, and frequent targets before the alphabet', async (t) => {
  const find = (query: string) => searchTargets(ALL, query, formats, [wordsOf('en')], (id) => id)
  t.equal(find('.webp')[0], 'webp')
  t.equal(find('doc')[0], 'doc', 'the exact code')
  t.strictSame(find('image').slice(0, 2), ['jpg', 'png'])
  t.strictSame(find('searchable pdf'), ['ocr.pdf'], 'each word counts')
  t.equal(find('GÉNIAL').length, 0)
  t.ok(find('gz').includes('tar.gz'))
  t.equal(find('everywhere')[0], 'pdf', 'its purpose')
  t.ok(find('cad').includes('obj'), 'its category')
})

t.test('groups: often wanted, the category of the source, and last what few people know', async (t) => {
  const groups = groupTargets(ALL, ['docx', SAME, 'unknown'], 'image', formats)
  t.strictSame(groups[0], { id: 'wanted', targets: ['docx', SAME] })
  t.equal(groups[1]!.id, 'image')
  t.equal(groups[1]!.targets[0], 'jpg')
  t.match(groups.at(-1), { id: 'more', targets: ['org', 'qoi', 'tar.gz', 'tex'] })
  const all = groups.flatMap(({ targets }) => targets)
  t.strictSame(all.toSorted(), ALL.toSorted(), 'each target once')
})

t.test('a PDF is offered Word, searchable text, and an archive copy before all others', async (t) => {
  const wanted = wantedTargets(formats, 'pdf', ['jpg', 'pdf'])
  t.strictSame(wanted, ['docx', 'ocr.pdf', 'jpg', SAME, 'txt', 'pdfa.pdf'])
})
