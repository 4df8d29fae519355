import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import t from 'tap'
import { blend } from '../../fixtures/blend.ts'
import { svg } from '../../fixtures/drawing.ts'
import { canvas } from '../../fixtures/image.ts'
import { glb, models, stl, stlText, threeMf } from '../../fixtures/models.ts'
import { sample } from '../../fixtures/samples.ts'
import { solid } from '../../fixtures/solid.ts'
import { readModel } from '../../matrix/models.ts'
import { measure } from '../../matrix/shape.ts'
import { human, workshop } from '../vector/workshop.ts'

t.setTimeout(60 * 60_000)

const { convert, failure, ...rest } = await workshop()
const folder = mkdtempSync('/tmp/athanor-models-')
t.teardown(() => rest[Symbol.asyncDispose]())
t.teardown(() => rmSync(folder, { recursive: true }))

async function measured(bytes: Buffer, format: string) {
  writeFileSync(`${folder}/model.${format}`, bytes)
  const { triangles, box, volume } = measure(await readModel(`${folder}/model.${format}`, format))
  return { triangles, box: box.map(Math.round), volume: Math.round(volume) }
}

t.test('a text stl becomes binary and keeps its shape', async (t) => {
  const { bytes } = await convert(stlText(), 'stl', 'stl')
  t.equal(bytes.length, 84 + 50 * solid.triangles)
  t.same(await measured(bytes, 'stl'), solid)
  t.same((await convert(stl(), 'stl', 'stl')).bytes, stl(), 'binary without waste comes back as it was')
  const flat = Buffer.concat([stl(), Buffer.alloc(50)])
  flat.writeUInt32LE(solid.triangles + 1, 80)
  t.same((await convert(flat, 'stl', 'stl')).bytes, stl(), 'a facet that is a point goes')
})

t.test('a 3mf of several parts, as slicers write it, becomes one mesh', async (t) => {
  const { bytes } = await convert(await threeMf(true), '3mf', 'stl')
  t.same(await measured(bytes, 'stl'), solid)
  const { bytes: other } = await convert(await threeMf(true), '3mf', 'obj')
  t.same(await measured(other, 'obj'), solid)
})

t.test('a glb gets smaller and keeps its shape', async (t) => {
  const { bytes } = await convert(glb(), 'glb', 'glb')
  t.ok(bytes.length < 0.8 * glb().length, `${glb().length} to ${bytes.length} bytes`)
  t.same(await measured(bytes, 'glb'), solid)
  const again = await convert(bytes, 'glb', 'glb')
  t.same(again.bytes, bytes, 'and no more the second time')
})

t.test('a glb stores equal parts only once', async (t) => {
  const length = glb().readUInt32LE(12)
  const scene = JSON.parse(glb().toString('utf8', 20, 20 + length))
  const binary = glb().subarray(28 + length)
  // The same mesh twice, each with its own copy of all data, and bytes in between that nothing refers to.
  const gap = 1000
  scene.bufferViews.push(
    ...scene.bufferViews.map((view: any) => ({ ...view, byteOffset: (view.byteOffset ?? 0) + binary.length + gap })),
  )
  scene.accessors.push(
    ...scene.accessors.map((accessor: any) => ({ ...accessor, bufferView: accessor.bufferView + 2 })),
  )
  scene.meshes.push({ primitives: [{ attributes: { POSITION: 2 }, indices: 3 }] })
  scene.nodes.push({ mesh: 1, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 100, 0, 0, 1] })
  scene.scenes[0].nodes.push(1)
  scene.buffers[0].byteLength = 2 * binary.length + gap
  const json = Buffer.from(JSON.stringify(scene).padEnd(4 * Math.ceil(JSON.stringify(scene).length / 4)))
  const head = Buffer.concat([Buffer.from('glTF\x02\0\0\0\0\0\0\0\0\0\0\0JSON', 'latin1'), json])
  const tail = Buffer.from('\0\0\0\0BIN\0', 'latin1')
  tail.writeUInt32LE(2 * binary.length + gap)
  const double = Buffer.concat([head, tail, binary, Buffer.alloc(gap), binary])
  double.writeUInt32LE(double.length, 8)
  double.writeUInt32LE(json.length, 12)
  const { bytes } = await convert(double, 'glb', 'glb')
  const before = await measured(double, 'glb')
  t.equal(before.triangles, 2 * solid.triangles)
  t.same(await measured(bytes, 'glb'), before)
  t.ok(bytes.length < double.length - gap - binary.length, `${double.length} to ${bytes.length} bytes`)
})

t.test('damaged models are refused or converted', async (t) => {
  for (const from of Object.keys(models)) {
    const whole = readFileSync((await sample(from)).path)
    const to = from === 'obj' ? 'stl' : 'obj'
    const { code, message } = await failure('This is no model at all. '.repeat(40), from, to)
    // assimp makes a small body of any text under this name; detection requires the first word of the format.
    if (from !== 'ase') {
      t.equal(code, 'CONVERSION_ERROR', from)
      t.match(message, human, from)
    }
    const cut = await failure(whole.subarray(0, Math.floor(whole.length / 2)), from, to)
    t.match(cut.code, /^(CONVERSION_ERROR|made \d+ bytes)$/, `${from} cut in half: ${cut.message}`)
  }
  for (const format of ['stl', 'glb']) {
    const whole = format === 'stl' ? stl() : glb()
    const { code } = await failure(whole.subarray(0, whole.length - 20), format, format)
    t.equal(code, 'CONVERSION_ERROR', `half a ${format} is not passed on as it is`)
  }
})

t.test('a header with a count that is too large', async (t) => {
  const promise = stl()
  promise.writeUInt32LE(0xffff_fff0, 80)
  for (const to of ['obj', 'off', 'svg', 'stl'])
    t.equal((await failure(promise, 'stl', to)).code, 'CONVERSION_ERROR', to)
})

t.test('references to other files in models have no effect', async (t) => {
  const scene = JSON.parse(readFileSync((await sample('gltf')).path, 'utf8'))
  for (const uri of ['/etc/passwd', 'file:///etc/passwd', '../in/file.gltf', 'http://127.0.0.1:9/a.bin']) {
    scene.buffers[0].uri = uri
    for (const to of ['stl', 'glb'])
      t.equal((await failure(JSON.stringify(scene), 'gltf', to)).code, 'CONVERSION_ERROR', `${uri} to ${to}`)
  }
  const drawn = (
    await convert('mtllib /etc/passwd\n' + readFileSync((await sample('obj')).path, 'utf8'), 'obj', 'gltf')
  ).bytes
  t.notMatch(drawn.toString(), /root:|passwd/)
})

t.test('density sets the size of a traced picture in dxf', async (t) => {
  const png = await canvas().removeAlpha().png().toBuffer()
  const across = async (density: number) => {
    const text = (await convert(png, 'png', 'dxf', { density })).bytes.toString('latin1')
    const xs = [...text.matchAll(/\n *VERTEX[\s\S]*?\n *10\n *([-\d.]+)/g)].map(([, x]) => Number(x))
    return Math.max(...xs) - Math.min(...xs)
  }
  for (const density of [150, 300])
    t.ok(Math.abs((await across(density)) - (160 / density) * 25.4) < 0.5, `${density} dpi`)
})

t.test('a picture without outlines cannot become dxf', async (t) => {
  const href = `data:image/png;base64,${(await canvas().png().toBuffer()).toString('base64')}`
  const picture = svg().replace(/<rect[\s\S]*<\/svg>/, `<image width="160" height="120" href="${href}"/></svg>`)
  const { code, message } = await failure(picture, 'svg', 'dxf')
  t.equal(code, 'CONVERSION_ERROR')
  t.match(message, /no outlines/)
})

/** A table of the frames behind them, as Blender writes it. */
function seekable(frames: readonly Buffer[], whole: readonly Buffer[]): Buffer {
  const numbers = frames.flatMap((frame, index) => [frame.length, whole[index]!.length])
  const table = Buffer.concat([Buffer.from(Uint32Array.from([...numbers, frames.length]).buffer), Buffer.alloc(5)])
  table.writeUInt32LE(0x8f92eab1, table.length - 4)
  return Buffer.concat([...frames, Buffer.from(Uint32Array.from([0x184d2a5e, table.length]).buffer), table])
}

t.test('Blender scenes are read with and without normals, compressed or not', async (t) => {
  const parts = [blend().subarray(0, 1000), blend().subarray(1000)]
  const scenes = {
    'older than 3.1': blend(279),
    newer: blend(),
    gzip: gzipSync(blend(279)),
    zstd: zstdCompressSync(blend()),
    'zstd in frames': seekable(
      parts.map((part) => zstdCompressSync(part)),
      parts,
    ),
  }
  for (const [name, scene] of Object.entries(scenes))
    for (const to of ['stl', 'obj'])
      t.same(await measured((await convert(scene, 'blend', to)).bytes, to), solid, `${name} to ${to}`)
})

t.test('each face of a scene has its normal', async (t) => {
  const { bytes } = await convert(blend(), 'blend', 'obj')
  const normals = [...bytes.toString().matchAll(/^vn +(.*)$/gm)].map(([, numbers]) => numbers!.split(/ +/).map(Number))
  t.ok(normals.length >= 6)
  for (const normal of normals) t.equal(Math.hypot(...normal).toFixed(3), '1.000')
})

t.test('scenes that cannot be read, or contain no mesh, fail', async (t) => {
  const changed = (name: string, past: number, bytes: Buffer) => {
    const scene = blend()
    bytes.copy(scene, scene.indexOf(name) + past)
    return scene
  }
  const twice = Buffer.from(blend())
  // The faces of the mesh are where its vertices were.
  const [corners, faces] = [5, 7].map((at) => Buffer.from(Uint32Array.from([at * 65_536, 0]).buffer)) as [
    Buffer,
    Buffer,
  ]
  corners.copy(twice, twice.lastIndexOf(faces))
  const scenes: [Buffer, RegExp][] = [
    [blend(400), /3\.5 or later/],
    [Buffer.concat([Buffer.from('BLENDER17-01v0500'), blend().subarray(12)]), /3\.5 or later/],
    [twice, /3\.5 or later/],
    [blend().subarray(0, 900), /damaged/],
    [zstdCompressSync(blend()).subarray(0, 500), /damaged/],
    [changed('OBangle', 68, Buffer.from([2])), /no triangles/],
    [changed('MEangle', 68, Buffer.alloc(20)), /no triangles/],
  ]
  for (const [scene, reason] of scenes)
    for (const to of ['glb', 'gltf', 'obj', 'svg']) {
      const { code, message } = await failure(scene, 'blend', to)
      t.equal(code, 'CONVERSION_ERROR')
      t.match(message, reason, `to ${to}`)
    }
})
