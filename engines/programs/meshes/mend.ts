/**
 * Writes a model as other programs read it: `mend.ts INPUT OUTPUT`. 3MF and AMF are in millimetres, PLY, glTF and
 * binary STL without what assimp fails at. Prints `parts` if objects are in several parts.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { ZipFile } from 'yazl'
import { refuse } from '../refusal/refusal.ts'
import { type Member, readMembers } from '../repack/members.ts'
import { readGlb, writeGlb } from './glb.ts'
import { readablePly } from './ply.ts'
import { readableScene } from './scene.ts'
import { amfInMillimetres, partInMillimetres, scaleOf } from './units.ts'

/** An object in another part (3MF production extension 1.1). */
const PATH = /<(?:[\w.-]+:)?(?:component|item)\s[^<>]*:path\s*=/

const [input, output] = process.argv.slice(2) as [string, string]
const source = readFileSync(input)

/** AMF, also from a zip, without references to materials that are not there. */
async function document(): Promise<Buffer> {
  const zip = source.toString('latin1', 0, 4) === 'PK\x03\x04'
  const models = zip ? (await readMembers(source)).filter(({ name }) => /\.amf$/i.test(name)) : []
  if (models.length > 1) refuse('The package holds several models')
  // One character per byte: all that is looked for is ASCII.
  const text = (models[0]?.content ?? source).toString('latin1')
  const known = new Set(Array.from(text.matchAll(/<material\s[^<>]*?id\s*=\s*["']([^"']*)/g), ([, id]) => id))
  const loose = (tag: string, id: string) => (known.has(id) ? tag : '')
  const whole = text.replace(/\smaterialid\s*=\s*["']([^"']*)["']/g, loose)
  return Buffer.from(scaleOf(whole, 'amf') === 1 ? whole : amfInMillimetres(whole), 'latin1')
}

/** The scene as assimp reads it. Extensions with other compression stay, for it to refuse. */
const readableGlb = () => writeGlb(readableScene(readGlb(source)))

/** The same for glTF, whose buffer is within it or missing. */
function readableGltf(): Buffer {
  const json = JSON.parse(source.toString())
  const [, data = ''] = /^data:[^,]*;base64,(.*)$/s.exec(json.buffers?.[0]?.uri ?? '') ?? []
  return Buffer.from(JSON.stringify(readableScene({ json, binary: Buffer.from(data, 'base64') }).json))
}

/** The package as it is, if all of its parts are in millimetres. */
async function packageInMillimetres(): Promise<Buffer> {
  // The next program says what is wrong with one that cannot be read.
  const members = await readMembers(source).catch((): Member[] => [])
  const models = new Map(members.filter(isModel).map((member) => [member, member.content.toString('latin1')]))
  if (models.size > 0 && !models.values().some((text) => /<(?:[\w.-]+:)?triangle\s/.test(text)))
    refuse('The model contains no triangles')
  if (models.values().some((text) => PATH.test(text))) console.log('parts')
  if (models.values().every((text) => scaleOf(text, 'model') === 1)) return source
  const zip = new ZipFile()
  for (const member of members) {
    const text = models.get(member)
    const content = text === undefined ? member.content : Buffer.from(partInMillimetres(text), 'latin1')
    zip.addBuffer(content, member.name, { compress: false })
  }
  zip.end()
  return buffer(zip.outputStream)
}

/** Without the colour in its header, which assimp would take for the material, transparent black too. */
function uncoloured(): Buffer {
  const at = source.subarray(0, 80).indexOf('COLOR=')
  return at < 0 ? source : Buffer.from(source).fill(' ', at, at + 6)
}

const isModel = ({ name }: Member) => /\.model$/i.test(name)

const writers: Readonly<Record<string, () => Buffer | Promise<Buffer>>> = {
  '3mf': packageInMillimetres,
  ply: () => readablePly(source),
  stl: uncoloured,
  glb: readableGlb,
  gltf: readableGltf,
}
writeFileSync(output, await (writers[extname(output).slice(1)] ?? document)())
