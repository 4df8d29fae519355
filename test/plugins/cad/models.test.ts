import { readFile } from 'node:fs/promises'
import t from 'tap'
import { readGlb, writeGlb } from '../../../engines/programs/meshes/glb.ts'
import { glb, stl, stlText, threeMf } from '../../fixtures/models.ts'
import { sample } from '../../fixtures/samples.ts'
import { solid } from '../../fixtures/solid.ts'
import { zipped } from '../../fixtures/zip.ts'
import { bare } from '../bare.ts'
import { human } from '../image/pictures.ts'
import { measured, sides } from './measured.ts'

t.setTimeout(30 * 60_000)
const { convert, failure } = await bare(t, ['cad', 'image'])

const made = async (source: Buffer | string, pair: string) => (await convert(Buffer.from(source), pair)).bytes
const failed = (source: Buffer | string, pair: string) => failure(Buffer.from(source), pair)

t.test('a text stl becomes binary and keeps its shape', async (t) => {
  const bytes = await made(stlText(), 'stl>stl')
  t.equal(bytes.length, 84 + 50 * solid.triangles)
  t.same(await measured(bytes, 'stl'), solid)
  t.same(await made(stl(), 'stl>stl'), stl(), 'binary without waste comes back as it was')
  const flat = Buffer.concat([stl(), Buffer.alloc(50)])
  flat.writeUInt32LE(solid.triangles + 1, 80)
  t.same(await made(flat, 'stl>stl'), stl(), 'a facet that is a point goes')
})

t.test('a 3mf without triangles is refused, and why', async (t) => {
  const empty = await zipped({
    '3D/3dmodel.model':
      '<model unit="millimeter"><resources><object id="1"><mesh/></object></resources><build/></model>',
  })
  const message = 'The model contains no triangles'
  for (const to of ['stl', 'x3d']) t.match(await failed(empty, `3mf>${to}`), { code: 'CONVERSION_ERROR', message }, to)
})

t.test('a glb gets smaller and keeps its shape', async (t) => {
  const bytes = await made(glb(), 'glb>glb')
  t.ok(bytes.length < 0.8 * glb().length, `${glb().length} to ${bytes.length} bytes`)
  t.same(await measured(bytes, 'glb'), solid)
  t.same(await made(bytes, 'glb>glb'), bytes, 'and no more the second time')
})

t.test('a glb stores equal parts only once, and nothing that is not used', async (t) => {
  const { json, binary } = readGlb(glb()) as { json: any; binary: Buffer }
  // The same mesh twice, each with its own copy of all data, and bytes in between that nothing refers to.
  const gap = 1000
  const shifted = json.bufferViews.map((view: any) => ({
    ...view,
    byteOffset: (view.byteOffset ?? 0) + binary.length + gap,
  }))
  const again = json.accessors.map((one: any) => ({ ...one, bufferView: one.bufferView + json.bufferViews.length }))
  json.bufferViews.push(...shifted)
  json.accessors.push(...again)
  json.meshes.push({ primitives: [{ attributes: { POSITION: 2 }, indices: 3 }] })
  json.nodes.push({ mesh: 1, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 100, 0, 0, 1] })
  json.scenes[0].nodes.push(1)
  json.buffers[0].byteLength = 2 * binary.length + gap
  const double = writeGlb({ json, binary: Buffer.concat([binary, Buffer.alloc(gap), binary]) })
  const bytes = await made(double, 'glb>glb')
  const before = await measured(double, 'glb')
  t.equal(before.triangles, 2 * solid.triangles)
  t.same(await measured(bytes, 'glb'), before)
  t.ok(bytes.length < double.length - gap - binary.length, `${double.length} to ${bytes.length} bytes`)
})

t.test('a ply with a camera that begins like the end of a line, and a glb without padding', async (t) => {
  const [head, data] = (await made(stl(), 'stl>ply')).toString('latin1').split(/(?<=end_header\n)/, 2)
  const camera = head!.replace('element vertex', 'element camera 1\nproperty uchar view\n$&')
  t.same(await measured(await made(Buffer.from(`${camera}\n${data}`, 'latin1'), 'ply>stl'), 'stl'), solid)
  const end = 20 + glb().readUInt32LE(12)
  const odd = Buffer.concat([glb().subarray(0, end), Buffer.from(' '), glb().subarray(end)])
  odd.writeUInt32LE(odd.length, 8)
  odd.writeUInt32LE(end - 19, 12)
  t.same(await measured(await made(odd, 'glb>stl'), 'stl'), solid)
})

t.test('an stl with a colour of its own is not black, and spaces of IFC 4 do no harm', async (t) => {
  const coloured = stl()
  coloured.write('COLOR=\0\0\0\0', 'latin1')
  const { materials } = readGlb(await made(coloured, 'stl>glb')).json as { materials?: any[] }
  t.not(materials?.[0]?.pbrMetallicRoughness?.baseColorFactor?.[3], 0)
  const ifc = await readFile((await sample('ifc')).path, 'utf8')
  const room = "#900=IFCSPACE('0A',#5,'4',$,$,#25,$,'Room',.ELEMENT.,$,$);"
  const rooms = ifc.replace('(#108),#26)', '(#108,#900),#26)').replace(/^#26=/m, `${room}\n$&`)
  t.same(await measured(await made(rooms, 'ifc>stl'), 'stl'), await measured(await made(ifc, 'ifc>stl'), 'stl'))
})

t.test('a building in IFC 4.3 is read, with its names and colours', async (t) => {
  const ifc = await readFile((await sample('ifc')).path, 'utf8')
  const newer = ifc.replace(/(FILE_SCHEMA\s*\(\s*\(\s*')[^']*/, '$1IFC4X3_ADD2')
  t.not(newer, ifc)
  t.same(await measured(await made(newer, 'ifc>stl'), 'stl'), await measured(await made(ifc, 'ifc>stl'), 'stl'))
  const { nodes, materials } = readGlb(await made(newer, 'ifc>glb')).json as any
  const names = nodes.map(({ name }: { name?: string }) => name)
  t.ok(
    names.some((name: string) => ifc.includes(`'${name}'`)),
    `${names}`,
  )
  t.ok(materials.length > 0)
  t.match(await failed(ifc.replace(/^#\d+=.*$/gm, ''), 'ifc>stl'), { message: 'The model holds no faces' })
})

t.test('damaged models are refused', async (t) => {
  for (const from of ['obj', 'stl', '3mf', 'glb', 'blend']) {
    const { code, message } = await failed(
      'This is no model at all. '.repeat(40),
      `${from}>${from === 'obj' ? 'stl' : 'obj'}`,
    )
    t.equal(code, 'CONVERSION_ERROR', from)
    t.match(message, human, from)
  }
  for (const [format, whole] of Object.entries({ stl: stl(), glb: glb() })) {
    const half = await failed(whole.subarray(0, whole.length - 20), `${format}>${format}`)
    t.equal(half.code, 'CONVERSION_ERROR', `half a ${format} is not passed on as it is`)
  }
  const promise = stl()
  promise.writeUInt32LE(0xffff_fff0, 80)
  for (const to of ['obj', 'stl'])
    t.equal((await failed(promise, `stl>${to}`)).code, 'CONVERSION_ERROR', `a count that is too large to ${to}`)
})

t.test('references to other files in models have no effect', async (t) => {
  const scene = JSON.parse(await readFile((await sample('gltf')).path, 'utf8'))
  for (const uri of ['/etc/passwd', '../in/file.gltf', 'http://127.0.0.1:9/a.bin']) {
    scene.buffers[0].uri = uri
    t.equal((await failed(JSON.stringify(scene), 'gltf>stl')).code, 'CONVERSION_ERROR', uri)
  }
  const drawn = await made(`mtllib /etc/passwd\n${await readFile((await sample('obj')).path, 'utf8')}`, 'obj>gltf')
  t.notMatch(drawn.toString(), /root:|passwd/)
})

const boxOf = async (source: Buffer | string, from: string) => sides(await made(source, `${from}>stl`), 'stl')
const isScaled = (given: readonly number[], scale: number) =>
  given.every((side, at) => Math.abs(side / solid.box[at]! / scale - 1) < 1e-4)

t.test('3mf becomes millimetres, in one part or several', async (t) => {
  for (const [unit, split, scale] of [
    ['millimeter', true, 1],
    ['foot', false, 304.8],
    ['inch', true, 25.4],
  ] as const) {
    const box = await boxOf(await threeMf(split, unit), '3mf')
    t.ok(isScaled(box, scale), `${unit}, ${split ? 'in parts' : 'whole'}: ${box}`)
  }
})

t.test('amf becomes millimetres', async (t) => {
  const text = await readFile((await sample('amf')).path, 'utf8')
  for (const [unit, scale] of Object.entries({ feet: 304.8, meter: 1000, micron: 0.001 })) {
    const box = await boxOf(text.replace('millimeter', unit), 'amf')
    t.ok(isScaled(box, scale), `${unit}: ${box}`)
  }
  const instance = (x: number) => `<instance objectid="0"><deltax>${x}</deltax><deltay>0</deltay></instance>`
  const instances = `<constellation id="9">${instance(0)}${instance(100)}</constellation></amf>`
  const across = await boxOf(text.replace('millimeter', 'inch').replace('</amf>', instances), 'amf')
  t.ok(across[2]! > 100 * 25.4 && across[2]! < 135 * 25.4, `placed 100 inches apart: ${across} mm`)
})
