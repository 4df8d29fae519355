/** Videos whose streams are only copied do not wait for those that are encoded. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import type { Config } from '../../../config/config.ts'
import { made } from '../../fixtures/cache.ts'
import { ffmpeg } from '../../fixtures/program.ts'
import { call, form, get, post, type Service, startService, upload } from '../../harness/service.ts'
import { until } from '../../harness/until.ts'

t.setTimeout(60 * 60_000)
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=4']
const sound = ['-f', 'lavfi', '-i', 'sine=440:r=48000:d=4']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']

/** An hour: its encoding outlasts the tests. */
const makeLong = async () => {
  const plain = await makePlain()
  return made('light-long.mp4', (output) => ffmpeg('-stream_loop', '899', '-i', plain, '-c', 'copy', output))
}
const makePlain = () => made('light.mp4', (output) => ffmpeg(...picture, ...sound, ...h264, output))

function change(config: Config): void {
  config.plugins = { video: true }
  config.plans.guest = Object.fromEntries(Object.keys(config.plans.guest).map((key) => [key, null])) as never
  config.queue.heavyWorkers = 1
  config.queue.workers = 4
}

function clientOf(service: Service) {
  return {
    async fileOf(file: string | Buffer, name = 'film.mp4'): Promise<string> {
      const bytes = new Uint8Array(typeof file === 'string' ? await readFile(file) : file)
      return (await upload(service, form(bytes, name))).json.file.fileId
    },
    begin: async (fileId: string, toFormat: string, options: object = {}) =>
      (await post(service, '/api/conversions', { fileId, toFormat, options })).json,
    read: async (id: string, wait = 0) => (await get(service, `/api/conversions/${id}?wait=${wait}`)).json.conversion,
    cancel: async (id: string) => (await call(service, 'DELETE', `/api/conversions/${id}`)).status,
  }
}

async function ended(read: ReturnType<typeof clientOf>['read'], id: string) {
  let conversion = await read(id, 30)
  while (['queued', 'processing'].includes(conversion.status)) conversion = await read(id, 30)
  return conversion
}

/** Gives a sample in the middle of an MP4 file without sound an impossible length. Its header stays as it was. */
function damaged(film: Buffer): Buffer {
  const mdat = film.indexOf('mdat') + 4
  const half = mdat + film.readUInt32BE(mdat - 8) / 2
  let unit = mdat
  while (unit < half) unit += 4 + film.readUInt32BE(unit)
  film.writeUInt32BE(0xffffffff, unit)
  return film
}

t.test('beside a video that is encoded', async (t) => {
  const plain = await makePlain()
  const odd = await made('light-odd.mp4', (output) => ffmpeg(...picture, '-c:v', 'mpeg4', output))
  await using service = await startService({ change })
  const { fileOf, begin, read, cancel } = clientOf(service)
  const first = await begin(await fileOf(await makeLong()), 'webm')
  t.equal(first.queued, false)
  const light = await fileOf(plain)
  const heavy = await fileOf(odd)
  for (const to of ['mkv', 'ts', 'flv', 'mov']) {
    const { conversionId, queued } = await begin(light, to)
    t.equal(queued, false, `to ${to}: it runs at once`)
    t.equal((await ended(read, conversionId)).status, 'completed')
  }
  const waiting = [
    await begin(light, 'mkv', { crf: 30 }),
    await begin(light, 'mkv', { resolution: '720p', codec: 'h264', bitrate: 500 }),
    await begin(light, 'avi'),
    await begin(light, 'm2ts'),
    // Its header is not one that the service reads itself.
    await begin(heavy, 'mkv'),
  ]
  for (const { queued } of waiting) t.equal(queued, true, 'others wait')
  t.equal((await read(first.conversionId)).status, 'processing')
  for (const { conversionId } of [...waiting, first]) t.equal(await cancel(conversionId), 204)
})

t.test('a file that cannot be copied after all waits for a heavy place', async (t) => {
  const whole = await made('light-mute.mp4', (output) => ffmpeg(...picture, ...h264, output))
  // A camera's file: MP4 does not get these pictures. The service takes it for light without a look.
  const camera = await made('light-camera.mov', (output) => ffmpeg(...picture, '-c:v', 'prores', output))
  await using service = await startService({ change })
  const { fileOf, begin, read, cancel } = clientOf(service)
  const first = await begin(await fileOf(await makeLong()), 'webm')
  t.equal(first.queued, false)
  const turned = [
    await begin(await fileOf(damaged(await readFile(whole))), 'ts'),
    await begin(await fileOf(camera, 'film.mov'), 'mp4'),
  ]
  for (const { conversionId, queued } of turned) {
    t.equal(queued, false, 'it begins in a light place')
    let conversion = await read(conversionId)
    // While it begins, it is queued without a place.
    await until(async () => {
      conversion = await read(conversionId)
      return conversion.queuePosition || ['failed', 'completed'].includes(conversion.status)
    })
    t.match(conversion, { status: 'queued', error: null }, 'then it waits')
  }
  t.equal((await read(first.conversionId)).status, 'processing', 'while another one is encoded')
  t.equal(await cancel(first.conversionId), 204)
  for (const { conversionId } of turned) t.match(await ended(read, conversionId), { status: 'completed', error: null })
})
