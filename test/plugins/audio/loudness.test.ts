/** `normalize`: EBU R 128 to -16 LUFS for any source. */
import t, { type Test } from 'tap'
import { readMeter } from '../../../plugins/audio/loudness.ts'
import { sounding, studio } from './studio.ts'

t.setTimeout(60 * 60_000)
const { convert, film, loudness, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

const near = (t: Pick<Test, 'ok'>, value: number, what: string) =>
  t.ok(Math.abs(value + 16) <= 0.5, `${what}: ${value} LUFS`)

t.test('loudness', async (t) => {
  const quiet = await film('wav', ...sounding(5, 2, 48_000, 0.003))
  const loud = await film('wav', '-f', 'lavfi', '-i', 'anoisesrc=c=pink:a=0.9:d=5:r=48000:seed=1')
  const speech = await film('mp3', ...sounding(5, 1, 8000, 0.02))
  const surround = await film('flac', ...sounding(5, 6, 48_000, 0.02))
  // Two noises with rising volume. The peaks of the first leave room for its gain, those of the second do not.
  const growing = (seed: number) => {
    const noise = `anoisesrc=c=pink:a=0.5:d=8:r=44100:seed=${seed}`
    return film('wav', '-f', 'lavfi', '-i', noise, '-af', 'volume=0.02+t/16:eval=frame')
  }
  const roomy = await growing(39_595)
  const peaky = await growing(7919)
  for (const [name, source] of Object.entries({ quiet, loud, speech, surround, roomy, peaky }))
    for (const to of ['flac', 'mp3', 'opus'].filter((to) => !source.endsWith(`.${to}`))) {
      const made = await convert(source, to, { normalize: true })
      near(t, await loudness(made.path), `${name} to ${to}`)
      t.ok(Number(made.sound.sample_rate) <= 48_000, 'not the rate that the filter works at')
    }
  near(t, await loudness((await convert(surround, 'wav', { normalize: true, channels: 2 })).path), 'mixed down first')
  near(t, await loudness((await convert(quiet, 'wav', { normalize: true })).path), 'optimised as asked')
  const plain = await loudness((await convert(quiet, 'flac')).path)
  t.ok(plain < -40, `${plain} LUFS without it`)
})

t.test('audio that cannot be measured is not returned unchanged', async (t) => {
  t.throws(() => readMeter(['[info] video:0kB audio:345kB']), { code: 'CONVERSION_ERROR', message: /loudness/ })
})

t.test('silence and very short audio are not changed', async (t) => {
  const silence = await film('wav', '-f', 'lavfi', '-i', 'anullsrc=d=2')
  const blink = await film('wav', ...sounding(0.2, 1, 44_100, 0.1))
  for (const [source, seconds] of [
    [silence, 2],
    [blink, 0.2],
  ] as const) {
    const made = await convert(source, 'flac', { normalize: true })
    t.ok(Math.abs(made.seconds - seconds) < 0.01, `${made.seconds} s`)
  }
})
