/** Adaptive multi-rate speech: silence keeps its duration in both directions. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { program } from '../../fixtures/program.ts'
import { decodeSound } from '../../matrix/sound.ts'
import { moving, sounding, studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const { convert, film, file, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const lengthOf = async (path: string, format: string) => {
  const { rate, channels } = await decodeSound(path, format)
  return channels[0]!.length / rate
}

/** A second of tone, four of silence, a second of tone. */
const graph = 'aevalsrc=0.3*sin(2*PI*440*t)*(lt(t\\,1)+gt(t\\,5)):s=8000:d=6'
const pauses = await film('wav', '-f', 'lavfi', '-i', graph)
const amr = await file('amr', '')
await program('sox', pauses, '-t', 'amr-nb', '-C', 7, amr)

t.test('silence is read', async (t) => {
  for (const to of ['wav', 'mp3', 'm4a']) t.ok(Math.abs((await convert(amr, to)).seconds - 6) < 0.3, to)
})

t.test("silence in a phone's video is read", async (t) => {
  const phone = await film(
    '3gp',
    ...moving('176x144', 6, 10),
    '-i',
    amr,
    '-map',
    0,
    '-map',
    1,
    '-c:a',
    'copy',
    '-c:v',
    'h263',
  )
  for (const to of ['wav', 'mp4', 'mkv', 'avi']) {
    const made = await convert(phone, to)
    const length = await lengthOf(made.path, to)
    t.ok(Math.abs(length - 6) < 0.2, `${to}: ${length} s of sound`)
  }
})

t.test('speech is written completely, with the header and without gaps', async (t) => {
  const made = await convert(pauses, 'amr')
  t.ok(Math.abs((await lengthOf(made.path, 'amr')) - 6) < 0.05)
  t.equal(made.size, 6 + 300 * 32, 'each of 300 frames in the mode asked for')
  const long = await convert(await film('mp3', ...sounding(120, 2)), 'amr')
  t.ok(Math.abs((await lengthOf(long.path, 'amr')) - 120) < 0.1)
})

const corpus = process.env.ATHANOR_CORPUS ?? join(import.meta.dirname, '../../../../shared/corpus')
const real = (name: string) => join(corpus, 'video-audio-archive', name)

t.test('real phones', { skip: !existsSync(real('phone.3gp')) }, async (t) => {
  for (const [name, seconds] of [
    ['phone.3gp', 9.7],
    ['nb.amr', 0.84],
    ['wb.amr', 4],
  ] as const) {
    const { path } = await convert(real(name), 'flac')
    const length = await lengthOf(path, 'flac')
    t.ok(Math.abs(length - seconds) < 0.1, `${name}: ${length} s`)
  }
})
