/**
 * Tasks in the words of people, solved by the tools for agents alone. The scripted agent makes the calls that a
 * language model would make. It may use no word that it has not read: in the task, in the descriptions of the tools, or
 * in an answer. So a description that no longer leads to the call fails here, and so does a tool that does not do what
 * it says. Each result is read by another program than the one that made it.
 */
import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../fixtures/program.ts'
import { sample } from '../fixtures/samples.ts'
import { wordErrorRate, wordsOf } from '../fixtures/scan.ts'
import { scanned } from '../fixtures/scans.ts'
import { type Agent, type Answer, agentOf } from '../harness/agent.ts'
import { folderOf } from '../harness/folder.ts'
import { startOrigin } from '../harness/servers/origin.ts'
import { get, serviceOf, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await serviceOf(t, {
  engines: true,
  change(config) {
    for (const name of ['image', 'document', 'video', 'audio', 'archive', 'vector', 'ebook'])
      config.plugins[name] = true
    const open = { conversionsPerDay: null, bytesPerDay: null, pendingJobs: null }
    config.plans.guest = { ...config.plans.guest, ...open }
    config.imports.allowNetworks = ['127.0.0.1']
  },
})
const folder = await folderOf(t)

/** The calls for a task, in their order. `convert` gets the fileId of the file, if it has no url. */
type Calls = readonly (readonly [tool: string, args: Record<string, unknown>])[]

interface Task {
  /** What a person asks for. */
  words: string
  /** The arguments of `sample` for the file, and its name. */
  file?: readonly [name: string, ...sample: Parameters<typeof sample>]
  calls: Calls
  /** Reads the result. `path` is that of the last one; `answers` are those of the calls. */
  check: (path: string, answers: readonly Answer[]) => Promise<boolean>
}

const text = async (...command: [string, ...(string | number)[]]) => (await program(...command)).toString()
const streams = async (path: string, show: string) =>
  (
    await text('ffprobe', '-v', 'error', '-count_frames', '-show_entries', `stream=${show}`, '-of', 'csv=p=0', path)
  ).trim()
const picture = async (path: string) => (await text('identify-im6.q16', '-format', '%m %w %Q\n', path)).trim()
const bytes = async (path: string) => (await stat(path)).size

const tasks: readonly Task[] = [
  {
    words: 'Turn this scan into text.',
    file: ['scan.png', 'png', 'document', 'txt'],
    calls: [['convert', { toFormat: 'txt' }]],
    check: async (path) => wordErrorRate(wordsOf(scanned), wordsOf(await readFile(path, 'utf8'))) < 0.05,
  },
  {
    words: 'Make this video a GIF.',
    file: ['holiday.mp4', 'mp4'],
    calls: [['convert', { toFormat: 'gif' }]],
    check: async (path) => /^gif,[3-9]|^gif,\d\d/.test(await streams(path, 'codec_name,nb_read_frames')),
  },
  {
    words: 'I cannot open this photo of my phone. I need a JPEG.',
    file: ['IMG_0042.heic', 'heic'],
    calls: [['convert', { toFormat: 'jpeg' }]],
    check: async (path) => (await picture(path)).startsWith('JPEG 160'),
  },
  {
    words: 'I want to search in this scanned page.',
    file: ['page.jpg', 'jpg', 'document', 'txt'],
    calls: [['convert', { toFormat: 'ocr.pdf' }]],
    check: async (path) => wordErrorRate(wordsOf(scanned), wordsOf(await text('pdftotext', path, '-'))) < 0.05,
  },
  {
    words: 'I need only the sound of this film, as MP3.',
    file: ['talk.mov', 'mov'],
    calls: [['convert', { toFormat: 'mp3' }]],
    check: async (path) => (await streams(path, 'codec_name')).startsWith('mp3'),
  },
  {
    words: 'Print this Word document to PDF.',
    file: ['letter.docx', 'docx'],
    calls: [['convert', { toFormat: 'pdf' }]],
    check: async (path) => wordsOf(await text('pdftotext', path, '-')).length > 20,
  },
  {
    words: 'This goes to the archive for ten years.',
    file: ['contract.pdf', 'pdf', 'document'],
    calls: [['convert', { toFormat: 'pdfa.pdf' }]],
    check: async (path) => (await text('exiftool', '-s3', '-XMP-pdfaid:Part', path)).trim() === '2',
  },
  {
    words: 'The form takes pictures of at most 5 kB.',
    file: ['portrait.jpg', 'jpg'],
    calls: [
      ['formats', { from: 'jpg', to: 'jpg' }],
      ['convert', { toFormat: 'jpg', options: { targetSizeKb: 5 } }],
    ],
    check: async (path) => (await bytes(path)) <= 5000 && (await picture(path)).startsWith('JPEG'),
  },
  {
    words: 'As JPG with quality 40, please.',
    file: ['screen.png', 'png'],
    calls: [['convert', { toFormat: 'jpg', options: { quality: 40 } }]],
    check: async (path) => (await picture(path)) === 'JPEG 160 40',
  },
  {
    words: 'Make this PDF smaller.',
    file: ['brochure.pdf', 'pdf', 'document'],
    calls: [['convert', { toFormat: 'pdf' }]],
    check: async (path) => (await text('qpdf', '--check', path)).includes('No syntax'),
  },
  {
    words: 'I need each of these slides as a PNG.',
    file: ['talk.pptx', 'pptx'],
    calls: [['convert', { toFormat: 'png' }]],
    check: async (path) =>
      (await text('unzip', '-Z1', path))
        .trim()
        .split('\n')
        .every((name) => name.endsWith('.png')),
  },
  {
    words: 'My program reads CSV only.',
    file: ['table.xlsx', 'xlsx'],
    calls: [['convert', { toFormat: 'csv' }]],
    check: async (path) => (await readFile(path, 'utf8')).split('\n')[0]!.includes(','),
  },
  {
    words: 'My boss wants these notes as docx.',
    file: ['notes.md', 'md'],
    calls: [['convert', { toFormat: 'docx' }]],
    check: async (path) => (await text('unzip', '-p', path, 'word/document.xml')).includes('<w:t'),
  },
  {
    words: 'Read me this e-book: I need its txt.',
    file: ['novel.epub', 'epub'],
    calls: [['convert', { toFormat: 'txt' }]],
    check: async (path) => wordsOf(await readFile(path, 'utf8')).length > 20,
  },
  {
    words: 'My colleague cannot unpack this; send a ZIP.',
    file: ['project.7z', '7z'],
    calls: [['convert', { toFormat: 'zip' }]],
    check: async (path) => (await text('unzip', '-t', path)).includes('No errors'),
  },
  {
    words: 'Our logo as a PNG, 64 pixels wide.',
    file: ['logo.svg', 'svg'],
    calls: [
      ['formats', { from: 'svg', to: 'png' }],
      ['convert', { toFormat: 'png', options: { maxWidth: 64 } }],
    ],
    check: async (path) => (await picture(path)).startsWith('PNG 64'),
  },
  {
    words: 'My television plays MP4 only.',
    file: ['clip.webm', 'webm'],
    calls: [['convert', { toFormat: 'mp4' }]],
    check: async (path) => (await streams(path, 'codec_name')).includes('h264'),
  },
  {
    words: 'I need this recording as FLAC and as Opus.',
    file: ['song.wav', 'wav'],
    calls: [
      ['convert', { toFormat: 'flac' }],
      ['convert', { toFormat: 'opus' }],
    ],
    check: async (path) => (await streams(path, 'codec_name')).startsWith('opus'),
  },
  {
    words: 'What can I make of an EPS file?',
    calls: [['formats', { from: 'eps' }]],
    check: async (_path, [answer]) => ['png', 'pdf', 'svg'].every((format) => answer!.facts.targets.includes(format)),
  },
  {
    words: 'Which files can become an ICO?',
    calls: [['formats', { to: 'ico' }]],
    check: async (_path, [answer]) => /\bpng\b/.test(answer!.facts.sources.image),
  },
  {
    words: 'The link to my PNG does not work any more, give me a new one.',
    file: ['photo.jpg', 'jpg'],
    calls: [
      ['convert', { toFormat: 'png' }],
      ['result', {}],
    ],
    check: async (path) => (await picture(path)).startsWith('PNG'),
  },
]

/** Whether an agent that has read a text knows a word. */
const knows = (read: string, word: unknown) =>
  new RegExp(`(?<![\\w.])${String(word).replace(/\W/g, '\\$&')}(?![\\w])`, 'i').test(read)

/** Makes the calls of a task with words that were read. Returns the answers. */
async function solve(agent: Agent, { words, file, calls }: Task): Promise<{ answers: Answer[]; unread: unknown[] }> {
  const { tools } = await agent.client.listTools()
  // An agent sees the format of a file in its name.
  let read = `${words} ${file?.[0]} ${file?.[0].split('.').at(-1)} ${agent.client.getInstructions()} ${JSON.stringify(tools)}`
  const unread: unknown[] = []
  const known: Record<string, unknown> = {}
  const answers: Answer[] = []
  const use = async (tool: string, args: Record<string, unknown>) => {
    const { properties = {}, required = [] } = tools.find(({ name }) => name === tool)!.inputSchema
    const mine = Object.fromEntries(Object.entries(known).filter(([name]) => name in properties))
    const asked = { ...mine, ...args }
    unread.push(...Object.keys(asked).filter((name) => !(name in properties)))
    unread.push(...required.filter((name) => !(name in asked)))
    const options = (args.options ?? {}) as object
    const values = [
      ...Object.values(args).filter((value) => typeof value === 'string'),
      ...Object.entries(options).flat(),
    ]
    unread.push(...values.filter((value) => !knows(read, value)))
    const answer = await agent.use(tool, asked)
    read += answer.text
    for (const name of ['fileId', 'conversionId']) if (answer.facts[name]) known[name] = answer.facts[name]
    return answer
  }
  if (file) {
    const [name, ...which] = file
    const { uploadUrl } = (await use('upload', { fileName: name })).facts
    const body = await readFile((await sample(...which)).path)
    const sent = await fetch(uploadUrl, { method: 'PUT', body })
    if (sent.status !== 201) throw new Error(await sent.text())
  }
  for (const [tool, args] of calls) {
    let answer = await use(tool, args)
    while (/call status/.test(answer.facts.next)) answer = await use('status', {})
    answers.push(answer)
  }
  return { answers, unread }
}

t.test('the words that an agent has not read are found', async (t) => {
  t.ok(knows('toFormat "txt", "md"', 'txt') && knows('at most 5 kB', 5) && knows('a GIF.', 'gif'))
  t.notOk(knows('"ocr.pdf" makes', 'pdf') || knows('targetSize', 'target') || knows('', 'png') || knows('15 kB', 5))
})

t.test('twenty tasks', async (t) => {
  t.ok(tasks.length >= 20)
  await using agent = await agentOf(service.base)
  for (const task of tasks) {
    const { answers, unread } = await solve(agent, task)
    t.strictSame(unread, [], `${task.words} (words)`)
    const { error, link } = answers.at(-1)!
    t.equal(error, '', task.words)
    const path = join(folder, link?.name ?? 'none')
    if (link) await writeFile(path, Buffer.from(await (await fetch(link.uri)).arrayBuffer()))
    t.ok(await task.check(path, answers), task.words)
  }
})

t.test('a page at a URL', async (t) => {
  await using agent = await agentOf(service.base)
  await using origin = await startOrigin((_req, res) => void res.end('# Minutes\n\nWe met.\n'))
  const { link } = await agent.use('convert', { url: `${origin.base}/minutes.md`, toFormat: 'html' })
  t.match(await (await fetch(link!.uri)).text(), /<h1[^>]*>Minutes/)
})

t.test('a locked file: the agent learns whom to ask', async (t) => {
  await using agent = await agentOf(service.base)
  const locked = join(folder, 'locked.pdf')
  const { path } = await sample('pdf', 'document')
  await program('qpdf', '--encrypt', 'secret', 'secret', '256', '--', path, locked)
  const { uploadUrl, fileId } = (await agent.use('upload', { fileName: 'locked.pdf' })).facts
  await fetch(uploadUrl, { method: 'PUT', body: await readFile(locked) })
  const { error } = await agent.use('convert', { fileId, toFormat: 'txt' })
  t.match(error, /^ENCRYPTED_INPUT.*ask the user for a copy without a password.*call upload/)
})

t.test('a conversion that takes longer than a call goes on', async (t) => {
  await using stubs = await serviceOf(t)
  await using agent = await agentOf(stubs.base)
  const { file } = (await upload(stubs)).json
  const begun = agent.use('convert', { fileId: file.fileId, toFormat: 'bust', options: { sleep: 26_000 } })
  const newest = async () => (await get(stubs, '/api/conversions')).json.conversions[0]
  await until(async () => (await newest())?.status === 'processing')
  const { id } = await newest()
  t.match((await begun).facts, { status: 'processing', conversionId: id, next: /call status/ })
  t.match((await agent.use('status', { conversionId: id })).facts, { status: 'completed' })
})
