/** The report of a conversion: by real engines, compared with the files and with other programs. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { finish, form, get, pathOf, post, serviceOf, upload } from '../harness/service.ts'

const service = await serviceOf(t, {
  engines: true,
  change: (config) => {
    config.plugins = { image: true, video: true, audio: true }
  },
})
const folder = await folderOf(t)

/** Converts a file; resolves to its report and its result. */
async function reported(bytes: Uint8Array<ArrayBuffer>, name: string, toFormat: string, more: object = {}) {
  const { fileId } = (await upload(service, form(bytes, name))).json.file
  const { json } = await post(service, '/api/conversions', { fileId, toFormat, ...more })
  const conversion = await finish(service, json.conversionId)
  const { report } = (await get(service, `/api/conversions/${conversion.id}/report`)).json
  const { body } = conversion.outputUrl ? await get(service, pathOf(conversion.outputUrl)) : { body: Buffer.alloc(0) }
  return { report, body, id: conversion.id }
}

const kinds = (report: any): string[] => report.losses.map(({ kind }: { kind: string }) => kind)
const drawn = (background: string) =>
  sharp({ create: { width: 64, height: 32, channels: 3, background } })
    .png()
    .toBuffer()
const pixels = { create: { width: 64, height: 32, channels: 4, background: { r: 9, g: 9, b: 9, alpha: 0.5 } } } as const

t.test('a picture: both sizes, the engine, and what a JPEG cannot hold', async (t) => {
  const png = Uint8Array.from(await sharp(pixels).png().toBuffer())
  const { report, body } = await reported(png, 'a.png', 'jpg', { options: { maxWidth: 16 } })
  const made = await sharp(body).metadata()
  t.match(report, {
    status: 'completed',
    engines: [{ name: 'sharp', version: /^\d+\.\d+\.\d+$/, package: null }],
    source: { format: 'png', size: png.length, width: 64, height: 32, pages: 1 },
    result: { format: 'jpg', size: body.length, width: made.width, height: made.height },
    losses: [{ kind: 'alpha', description: /alpha channel/, names: [] }],
  })
  t.ok(report.wallSeconds > 0 && report.peakMemory > 1_000_000)
  t.equal(report.result.sha256, createHash('sha256').update(body).digest('hex'))
  const kept = await reported(png, 'a.png', 'webp')
  t.strictSame(kept.report.losses, [])
})

t.test('an animation, and metadata that are asked to go', async (t) => {
  const pictures = await Promise.all(['red', 'blue'].map((background) => drawn(background)))
  const gif = Uint8Array.from(
    await sharp(pictures, { join: { animated: true } })
      .gif()
      .toBuffer(),
  )
  const still = await reported(gif, 'a.gif', 'png', { options: { stripMetadata: true } })
  t.strictSame(kinds(still.report), ['animation', 'metadata'])
  t.equal(still.report.source.frames, 2)
  const moving = await reported(gif, 'a.gif', 'webp')
  t.match(moving.report, { source: { frames: 2 }, result: { frames: 2 }, losses: [] })
})

t.test('a film names the streams that the result does not have', async (t) => {
  const film = join(folder, 'film.mkv')
  execFileSync('ffmpeg', [
    ...'-v error -f lavfi -i testsrc=size=64x48:rate=10:duration=1 -f lavfi -i sine=duration=1'.split(' '),
    ...'-f lavfi -i sine=400:duration=1 -map 0 -map 1 -map 2 -metadata:s:a:1 language=deu'.split(' '),
    ...['-c:v', 'libx264', '-c:a', 'aac', film],
  ])
  const bytes = Uint8Array.from(await readFile(film))
  const sound = await reported(bytes, 'film.mkv', 'mp3')
  t.match(sound.report, { source: { width: 64, height: 48, duration: /^1(\.\d+)?$/ } })
  t.match(sound.report.engines.at(-1), { name: 'ffmpeg', package: 'ffmpeg' })
  t.strictSame(sound.report.losses[0].names, ['video (h264)', 'audio deu (aac)'])
  t.strictSame(kinds((await reported(bytes, 'film.mkv', 'mp4')).report), [])
  const clear = join(folder, 'clear.mov')
  execFileSync('ffmpeg', [...'-v error -f lavfi -i color=red@0:s=16x16:d=1,format=argb -c:v qtrle'.split(' '), clear])
  const { report } = await reported(Uint8Array.from(await readFile(clear)), 'clear.mov', 'mp4')
  t.strictSame(kinds(report), ['alpha'], 'and that it was transparent')
})

t.test('a failed conversion says what is known then', async (t) => {
  const half = Uint8Array.from((await sharp(pixels).png().toBuffer()).subarray(0, 60))
  const { report } = await reported(half, 'a.png', 'jpg')
  t.match(report, { status: 'failed', engines: [{ name: 'sharp' }], source: { size: 60 }, losses: [] })
  t.notOk('result' in report)
})
