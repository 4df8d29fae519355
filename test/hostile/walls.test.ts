/**
 * Hostile files cannot make their converters read from, write to or connect to the machine. Tested with two walls: the
 * sandbox, and Landlock together with the programs' own settings.
 */
import { readFile } from 'node:fs/promises'
import t, { type Test } from 'tap'
import { hasLandlock } from '../../kernel/sandbox/walls/landlock.ts'
import { unprivilegedUser } from '../../kernel/sandbox/walls/user.ts'
import { sample } from '../fixtures/samples.ts'
import { installation, leftovers } from '../harness/installation.ts'
import type { Service } from '../harness/program.ts'
import { HONEST, outcomeOf } from './answers.ts'
import { type Canary, startCanary } from './canary.ts'
import { archives } from './files/archives.ts'
import { bombs } from './files/bombs.ts'
import { graphics } from './files/graphics.ts'
import type { Lure } from './files/lure.ts'
import { markup } from './files/markup.ts'
import { media } from './files/media.ts'
import { documents } from './files/office.ts'
import { full } from './scale.ts'

t.setTimeout(60 * 60_000)

/** Returns ways to convert a file of this format: the first routes of one engine, or of two, in turn. */
async function waysOf(service: Service, format: string, turn: number): Promise<any[]> {
  const { json } = await service.call('GET', `/api/tools?from=${format}&limit=200`)
  const byEngine = new Map<string, any>()
  for (const tool of json.tools) if (!byEngine.has(tool.engine)) byEngine.set(tool.engine, tool)
  const ways = [...byEngine.values()]
  const first = turn % Math.max(1, ways.length)
  return [...ways.slice(first), ...ways.slice(0, first)].slice(0, full ? 2 : 1)
}

/** Whether Landlock is available as the second wall. */
const landlock = hasLandlock(unprivilegedUser())

/**
 * Engines whose own settings do not keep them from files that a document names by path. For them, the sandbox or
 * Landlock is needed: see docs/security.md. None of them may access the network, write or run anything.
 */
const readers = new Set([
  'libreoffice',
  'pandoc',
  'chromium',
  'calibre',
  'asciidoctor',
  'mail',
  'librsvg',
  'inkscape',
  'assimp',
  'mesh-writer',
  'mesh-drawer',
  'openscad',
  'freecad',
])

/** Converts a lure, and checks that nothing on the machine was touched. */
async function bait(t: Test, service: Service, canary: Canary, lure: Lure, sandboxed: boolean, turn: number) {
  const uploaded = await service.upload(lure.content, lure.name).catch((error: Error) => error)
  if (uploaded instanceof Error) {
    t.ok(lure.refused && uploaded.message.includes(`"${lure.refused}"`), `${lure.what}: ${uploaded.message}`)
    return
  }
  const ways = await waysOf(service, lure.as ?? uploaded.format, turn)
  t.ok(ways.length, `${lure.what}: ${uploaded.format} can be converted`)
  const tried = async (way: any) => {
    const how = { jobIntent: way.jobIntent, ...(lure.as && { fromFormat: lure.as }) }
    const end = await outcomeOf(service, lure.content, lure.name, way.toFormat, how)
    const name = `${lure.what}: ${uploaded.format} to ${way.toFormat} by ${way.engine}: ${end}`
    t.ok(HONEST.includes(end), name)
    return name
  }
  if (sandboxed) {
    const names = await Promise.all(ways.map(tried))
    t.same(await canary.betrayed(), [], names.join('; '))
    return
  }
  for (const way of ways) {
    const name = await tried(way)
    const signs = await canary.betrayed()
    const reads = !landlock && (way.engine.startsWith('via ') || readers.has(way.engine))
    t.same(reads ? signs.filter((sign) => !sign.startsWith('read: ')) : signs, [], name)
  }
}

/** Ordinary files must convert. This proves that the programs run at all. */
const ORDINARY = full
  ? 'png>jpg docx>pdf html>pdf md>docx epub>mobi svg>emf svg>eps svg>png mp4>mkv zip>7z obj>glb scad>stl eps>png eml>txt adoc>html'
  : 'svg>png zip>7z'

/** Lures of the fast tests: of each kind, for engines that start quickly. */
const QUICK = [
  'XML with entities',
  'a text with links',
  'pictures, uses, fonts and paints elsewhere',
  'runs a program',
  'a playlist (HLS) as mp4',
  'a film of references',
  'a path upward (zip)',
  'a link to a folder, and a file through it (tar)',
]

for (const sandbox of ['bubblewrap', 'none'] as const) {
  t.test(`sandbox: ${sandbox}`, async (t) => {
    await using canary = await startCanary()
    const { dataDir, live } = await installation(t)
    const service = await live({ sandbox, timeouts: { light: 100, heavy: 100 } })
    t.same(await canary.betrayed(), [], 'the canary is silent before')
    await t.test('ordinary files', async (t) => {
      for (const pair of ORDINARY.split(' ')) {
        const [from, to] = pair.split('>') as [string, string]
        const content = await readFile((await sample(from)).path)
        t.equal(await outcomeOf(service, content, `a.${from}`, to), 'completed', pair)
      }
    })
    let turn = 0
    for (const [kind, make] of Object.entries({ markup, documents, graphics, media, archives })) {
      const lures = (await make(canary)).filter(({ what }) => full || QUICK.includes(what))
      t.ok(lures.length > 0, kind)
      await t.test(kind, async (t) => {
        for (const lure of lures) await bait(t, service, canary, lure, sandbox === 'bubblewrap', turn++)
      })
    }
    if (sandbox === 'bubblewrap')
      for (const { what, name, content, to, ends } of bombs.filter(({ quick }) => quick))
        t.ok(ends.includes(await outcomeOf(service, await content(), name, to)), `a bomb: ${what}`)
    t.equal(await service.end('SIGTERM'), 0)
    t.same(await leftovers(dataDir), [], 'nothing is left behind')
  })
}
