/**
 * Tasks in the words of people, solved by the tools for agents alone. The scripted agent makes the calls that a
 * language model would make. It may use no word that it has not read: in the task, in the descriptions of the tools, or
 * in an answer. So a description that no longer leads to the call fails here. test/matrix reads results of these pairs.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../fixtures/program.ts'
import { sample } from '../fixtures/samples.ts'
import { type Agent, type Answer, agentOf } from '../harness/agent.ts'
import { folderOf } from '../harness/folder.ts'
import { get, serviceOf, upload } from '../harness/service.ts'
import { until } from '../harness/until.ts'

const service = await serviceOf(t, {
  engines: true,
  change(config) {
    for (const name of ['image', 'document', 'video', 'audio']) config.plugins[name] = true
    const open = { conversionsPerDay: null, bytesPerDay: null, pendingJobs: null }
    config.plans.guest = { ...config.plans.guest, ...open }
  },
})

/** The calls for a task, in their order. `convert` gets the fileId of the file, if it has no url. */
type Calls = readonly (readonly [tool: string, args: Record<string, unknown>])[]

interface Task {
  /** What a person asks for. */
  words: string
  /** The name of the file, and the arguments of `sample` for it. */
  file?: readonly [name: string, ...sample: Parameters<typeof sample>]
  calls: Calls
  /** Ending of the result. */
  makes?: string
  /** What the last answer says. */
  says?: (facts: any) => boolean
}

const tasks: readonly Task[] = [
  {
    words: 'I cannot open this photo of my phone. I need a JPEG.',
    file: ['IMG_0042.heic', 'heic'],
    calls: [['convert', { toFormat: 'jpeg' }]],
    makes: '.jpg',
  },
  {
    words: 'The form takes pictures of at most 5 kB.',
    file: ['portrait.jpg', 'jpg'],
    calls: [
      ['formats', { from: 'jpg', to: 'jpg' }],
      ['convert', { toFormat: 'jpg', options: { targetSizeKb: 5 } }],
    ],
    makes: '.jpg',
    says: ({ bytes }) => bytes <= 5000,
  },
  {
    words: 'I need each of these slides as a PNG.',
    file: ['talk.pptx', 'pptx'],
    calls: [['convert', { toFormat: 'png' }]],
    makes: '.zip',
  },
  {
    words: 'I need this recording as FLAC and as Opus.',
    file: ['song.wav', 'wav'],
    calls: [
      ['convert', { toFormat: 'flac' }],
      ['convert', { toFormat: 'opus' }],
    ],
    makes: '.opus',
  },
  {
    words: 'What can I make of an EPS file?',
    calls: [['formats', { from: 'eps' }]],
    says: ({ targets }) => ['png', 'pdf'].every((format) => targets.includes(format)),
  },
  {
    words: 'The link to my PNG does not work any more, give me a new one.',
    file: ['photo.jpg', 'jpg'],
    calls: [
      ['convert', { toFormat: 'png' }],
      ['result', {}],
    ],
    makes: '.png',
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

t.test('tasks', async (t) => {
  await using agent = await agentOf(service.base)
  for (const task of tasks) {
    const { answers, unread } = await solve(agent, task)
    t.strictSame(unread, [], `${task.words} (words)`)
    const { error, link, facts } = answers.at(-1)!
    t.equal(error, '', task.words)
    if (task.makes) t.ok(link?.name.endsWith(task.makes), `${task.words} ${link?.name}`)
    if (task.says) t.ok(task.says(facts), task.words)
  }
})

t.test('a locked file: the agent learns whom to ask', async (t) => {
  await using agent = await agentOf(service.base)
  const locked = join(await folderOf(t), 'locked.pdf')
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
