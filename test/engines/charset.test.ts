/** Texts and names in many character sets, as iconv writes them, read without a declaration and with one. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { charsetOfNames, decodeBy } from '../../engines/programs/text/charset.ts'
import { decoded } from '../../engines/programs/text/decoded.ts'

const encoded = (text: string, charset: string) =>
  execFileSync('iconv', ['-f', 'UTF-8', '-t', charset], { input: text })

/** What Python code prints as JSON, given a value as `given`. */
function python(code: string, given: unknown): unknown {
  const start = 'import json, sys\nsys.path[:0] = [sys.argv[1], sys.argv[1] + "/mail"]\ngiven = json.load(sys.stdin)\n'
  const programs = fileURLToPath(new URL('../../engines/programs', import.meta.url))
  const input = JSON.stringify(given)
  return JSON.parse(execFileSync('/usr/bin/python3', ['-c', `${start}${code}`, programs], { input }).toString())
}

/** One sentence of each language, and the sets that it is written in. */
const sentences: readonly { text: string; sets: string }[] = [
  { text: 'Der Fährmann wartet müde auf größere Schiffe.', sets: 'CP1252 MACINTOSH CP850' },
  { text: 'Le phare éclaire la côte où les pêcheurs rentrent.', sets: 'CP1252 ISO-8859-15 MACINTOSH CP850' },
  { text: 'Mañana el capitán llevará los peces al pequeño puerto.', sets: 'CP1252 MACINTOSH CP850' },
  { text: 'Perché la città è così silenziosa la mattina presto?', sets: 'CP1252 MACINTOSH CP850' },
  { text: 'A embarcação não chegará ao cais antes da manhã.', sets: 'CP1252 MACINTOSH CP850' },
  { text: 'Båten går från ön när det är mörkt på kvällen.', sets: 'CP1252 MACINTOSH CP850' },
  { text: 'Færgen sejler først, når tågen letter over øen.', sets: 'CP1252 MACINTOSH CP850' },
  { text: 'Työmies heräsi myöhään, eikä päässyt enää lähtevään laivaan.', sets: 'CP1252 MACINTOSH CP850' },
  { text: 'Þegar báturinn kemur að bryggju er veðrið orðið gott.', sets: 'CP1252 CP850' },
  {
    text: 'Łódź stała cicho przy nabrzeżu, gdy zapadał już wieczór.',
    sets: 'CP1250 ISO-8859-2 MAC-CENTRALEUROPE CP852',
  },
  { text: 'Příliš velká loď se těžko vešla do našeho přístavu.', sets: 'CP1250 ISO-8859-2 MAC-CENTRALEUROPE CP852' },
  { text: 'A hajó későn ért a kikötőbe, mert erős szél fújt.', sets: 'CP1250 ISO-8859-2 MAC-CENTRALEUROPE CP852' },
  { text: 'Čoln je počasi plul čez mirno morje proti Žužemberku.', sets: 'CP1250 ISO-8859-2 MAC-CENTRALEUROPE CP852' },
  { text: 'Vaporul se întoarce târziu, cînd ţărmul e în ceaţă.', sets: 'CP1250 ISO-8859-2 CP852' },
  { text: 'Küçük kayık rüzgârsız bir akşamda kıyıya yaklaştı.', sets: 'CP1254 ISO-8859-9 CP857' },
  { text: 'Laivas lėtai grįžo į uostą, nes jūra buvo šalta ir neramių bangų.', sets: 'CP1257 ISO-8859-13' },
  { text: 'Kuģis lēnām atgriezās ostā, jo jūrā bija vētra.', sets: 'CP1257 ISO-8859-13' },
  { text: 'Το πλοίο έφτασε αργά στο λιμάνι εξαιτίας του ανέμου.', sets: 'CP1253 ISO-8859-7 CP737' },
  { text: 'Корабль вернулся в гавань поздно вечером.', sets: 'CP1251 KOI8-R ISO-8859-5 CP866 MAC-CYRILLIC' },
  { text: 'Човен повільно повертався до своєї тихої гавані.', sets: 'CP1251 KOI8-U MAC-CYRILLIC' },
  { text: 'Корабът се върна късно в пристанището.', sets: 'CP1251 ISO-8859-5 CP866' },
  { text: 'הספינה חזרה לנמל מאוחר בערב בגלל הרוח.', sets: 'CP1255 ISO-8859-8 CP862' },
  { text: 'عادت السفينة إلى الميناء متأخرة بسبب الرياح.', sets: 'CP1256 ISO-8859-6' },
  { text: 'เรือกลับมาถึงท่าเรือช้าเพราะลมแรง', sets: 'CP874' },
  { text: '船は強い風のために遅れて港に戻りました。', sets: 'CP932 EUC-JP ISO-2022-JP' },
  { text: '因为风很大,船很晚才回到港口。', sets: 'GBK GB18030' },
  { text: '因為風很大,船很晚才回到港口。', sets: 'BIG5' },
  { text: '바람이 강해서 배가 늦게 항구로 돌아왔다.', sets: 'EUC-KR' },
]
const cases = sentences.flatMap(({ text, sets }) =>
  sets.split(' ').map((set) => ({ text, set, bytes: encoded(text, set) })),
)

t.test('one sentence without a declaration', async (t) => {
  for (const { text, set, bytes } of cases) t.equal(decoded(bytes), text, set)
})

t.test('UTF-8 and UTF-16 come first', async (t) => {
  for (const { text } of sentences) t.equal(decoded(Buffer.from(text)), text)
  t.equal(decoded(encoded('The boat is late.\n', 'UTF-16LE')), 'The boat is late.\n')
})

t.test('programs in Python read the same', async (t) => {
  const narrow = cases.filter(({ set }) => set !== 'ISO-2022-JP')
  const code = 'from text.charset import legible\nprint(json.dumps([legible(bytes.fromhex(one)) for one in given]))'
  const read = python(code, [...narrow.map(({ bytes }) => bytes.toString('hex'))])
  t.same(read, [...narrow.map(({ text }) => text)])
})

t.test('declared sets, also where another is more likely', async (t) => {
  for (const [set, declaration, text] of [
    ['ISO-8859-2', '\\usepackage[latin2]{inputenc}', 'Ąż ł'],
    ['ISO-8859-9', '\\documentclass{article}\n\\usepackage[latin5]{inputenc}', 'ğş ı'],
    ['CP1250', '\\usepackage[T1]{fontenc}\n\\usepackage[a4,cp1250]{inputenc}', 'ő ť'],
    ['CP852', '\\usepackage[cp852]{inputenc}', 'ő ť'],
    ['KOI8-R', '\\inputencoding{koi8-r}', 'Я'],
    ['CP1257', '<?xml version="1.0" encoding="windows-1257"?><a/>', 'ž į'],
    ['ISO-8859-7', '<meta http-equiv="content-type" content="text/html; charset=iso-8859-7">', 'Ώ'],
    ['EUC-JP', '% -*- coding: euc-jp -*-', '港'],
  ] as const)
    t.equal(decoded(encoded(`${declaration}\n${text}\n`, set)), `${declaration}\n${text}\n`, declaration)
})

t.test('a declaration that is only a comment of LaTeX does not count', async (t) => {
  const text = '%\\usepackage[latin1]{inputenc}\nŁódź stała cicho przy nabrzeżu, gdy zapadał wieczór.\n'
  t.equal(decoded(encoded(text, 'CP1250')), text)
})

t.test('one name in an archive', async (t) => {
  for (const [name, set] of [
    ['Účtenka červen.pdf', 'CP852'],
    ['Žádost o vrácení.doc', 'CP852'],
    ['Φωτογραφίες.zip', 'CP737'],
    ['Türkçe ışıklar.doc', 'CP857'],
    ['מסמך חדש.doc', 'CP862'],
    ['مستند جديد.doc', 'CP1256'],
    ['เอกสารใหม่.doc', 'CP874'],
    ['新增資料夾/報告書.doc', 'BIG5'],
    ['新しいフォルダ/写真.jpg', 'EUC-JP'],
    ['Новая папка/Отчёт.txt', 'KOI8-R'],
    ['Résumé à relire.doc', 'CP850'],
  ] as const) {
    const bytes = encoded(name, set)
    t.equal(decodeBy(charsetOfNames([bytes]), bytes), name, set)
  }
})

t.test('a megabyte takes little time, wherever its letters are', async (t) => {
  const letters = encoded(sentences[9]!.text, 'CP1250')
  const long = Buffer.concat([Buffer.alloc(1_000_000, 'plain letters only\n'), letters])
  const started = process.cpuUsage()
  t.match(decoded(long), sentences[9]!.text)
  t.match(decoded(Buffer.alloc(1_000_000, Buffer.concat([letters, Buffer.from('\n')]))), sentences[9]!.text)
  t.ok(process.cpuUsage(started).user < 1_000_000, 'less than a second')
})

t.test('RTF in mails of Outlook, in the sets of its page and of its fonts', async (t) => {
  const quoted = (text: string, set: string) =>
    Array.from(encoded(text, set), (byte) => `\\'${byte.toString(16).padStart(2, '0')}`).join('')
  const mail = (page: string, body: string) => `{\\rtf1\\ansi${page}\\fromhtml1 ${body}}`
  const fonts = '{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset161 Arial;}}'
  const byFont = `${fonts}{\\*\\htmltag64 <p title="${quoted('é', 'CP1252')}">}\\f1 ${quoted('мир', 'CP1251')}`
  const mails = [
    mail('\\ansicpg1252', `${byFont}{\\f2 ${quoted('φως', 'CP1253')}}\\f0 ${quoted('ü', 'CP1252')}`),
    mail('\\ansicpg1250', quoted('kůň', 'CP1250')),
    mail('\\ansicpg65001', quoted('☂', 'UTF-8')),
    mail('', quoted(sentences[10]!.text, 'CP1250')),
  ]
  const code =
    "from packed_rtf import html_of\nprint(json.dumps([html_of(one.encode('latin1'), None) for one in given]))"
  t.same(python(code, mails), ['<p title="é">мирφωςü', 'kůň', '☂', sentences[10]!.text])
})

t.test('the language of a mail or a help file tells the set of texts too short to tell', async (t) => {
  // Chinese in Taiwan, German, English.
  const texts = { 1028: encoded('格式測試', 'BIG5'), 1031: encoded('öäü', 'CP1252'), 1033: cases[40]!.bytes }
  const mails = Object.entries(texts).map(([id, bytes]) => [Number(id), bytes.toString('hex')])
  const code = `from outlook import ansi_of, decoded\nprint(json.dumps([decoded(bytes.fromhex(text), ansi_of(id)) for id, text in given]))`
  t.same(python(code, mails), ['格式測試', 'öäü', cases[40]!.text])
})
