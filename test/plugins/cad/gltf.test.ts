/** glTF with what the program that reads it stops at, AMF in a zip, and FBX of old versions. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readGlb, writeGlb } from '../../../engines/programs/meshes/glb.ts'
import { glb } from '../../fixtures/models.ts'
import { sample } from '../../fixtures/samples.ts'
import { solid } from '../../fixtures/solid.ts'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'
import { measured, sides } from './measured.ts'

t.setTimeout(30 * 60_000)
const { convert, failure } = await bare(t, ['cad'])

/** The solid, changed. Its JSON has no type: tests write what the standard allows. */
const changed = (change: (json: any) => Buffer | undefined) => {
  const { json, binary } = readGlb(glb())
  const more = change(json)
  if (more) json.buffers![0]!.byteLength = binary.length + more.length
  return writeGlb({ json, binary: more ? Buffer.concat([binary, more]) : binary })
}

const lit = () =>
  changed((json) => {
    json.extensionsUsed = ['KHR_lights_punctual']
    json.extensionsRequired = ['KHR_lights_punctual']
    json.extensions = { KHR_lights_punctual: { lights: [{ type: 'point' }] } }
    json.nodes.push({ extensions: { KHR_lights_punctual: { light: 0 } }, extras: { power: 5 } })
    json.scenes[0].nodes.push(json.nodes.length - 1)
    return undefined
  })

t.test('a scene with lights is read, in one file and as text', async (t) => {
  const { bytes } = await convert(lit(), 'glb>stl')
  t.same(await measured(bytes, 'stl'), solid)
  const { json, binary } = readGlb(lit())
  json.buffers![0]!.uri = `data:application/octet-stream;base64,${binary.toString('base64')}`
  const text = await convert(Buffer.from(JSON.stringify(json)), 'gltf>stl')
  t.same(await measured(text.bytes, 'stl'), solid)
})

t.test('copies of a mesh by their places are all there', async (t) => {
  const source = changed((json) => {
    const places = Buffer.from(new Float32Array([0, 0, 0, 1000, 0, 0, 2000, 0, 0]).buffer)
    const { byteLength } = json.buffers[0]
    json.bufferViews.push({ buffer: 0, byteOffset: byteLength, byteLength: places.length })
    json.accessors.push({ bufferView: json.bufferViews.length - 1, componentType: 5126, count: 3, type: 'VEC3' })
    const attributes = { TRANSLATION: json.accessors.length - 1 }
    json.extensionsUsed = ['EXT_mesh_gpu_instancing']
    json.nodes.find((node: { mesh?: number }) => node.mesh !== undefined).extensions = {
      EXT_mesh_gpu_instancing: { attributes },
    }
    return places
  })
  const { bytes } = await convert(source, 'glb>stl')
  t.equal((await measured(bytes, 'stl')).triangles, 3 * solid.triangles)
  t.ok(Math.max(...(await sides(bytes, 'stl'))) > 2000)
})

t.test('points and lines beside faces are left out, and alone refused', async (t) => {
  const lines = (alone: boolean) =>
    changed((json) => {
      const [first] = json.meshes[0].primitives
      json.meshes[0].primitives = [{ ...first, mode: 1 }, ...(alone ? [] : [first])]
      return undefined
    })
  t.same(await measured((await convert(lines(false), 'glb>stl')).bytes, 'stl'), solid)
  t.match(await failure(lines(true), 'glb>stl'), { message: 'The model holds no faces' })
})

t.test('an amf in a zip is read, and materials that are not there do no harm', async (t) => {
  const text = await readFile((await sample('amf')).path, 'utf8')
  const loose = text.replace('<volume', '<volume materialid="7"')
  const packed = await zipped({ 'solid.amf': loose })
  t.same(await measured((await convert(packed, 'amf>stl')).bytes, 'stl'), solid)
  const two = await zipped({ 'one.amf': text, 'two.amf': text })
  t.match(await failure(two, 'amf>stl'), { message: 'The package holds several models' })
})

t.test('an fbx of an old version is refused, and why', async (t) => {
  const head = '; FBX 6.1.0 project file\nFBXHeaderExtension:  {\n\tFBXHeaderVersion: 1003\n\tFBXVersion: 6100\n}\n'
  t.match(await failure(Buffer.from(head), 'fbx>stl'), {
    message: 'FBX older than 2011 cannot be read; save it as FBX 2011 or newer',
  })
})
