/** Videos whose streams are only copied do not wait for those that are encoded. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { made } from '../../fixtures/cache.ts'
import { ffmpeg } from '../../fixtures/program.ts'
import { form, get, post, startService, upload } from '../../http/service.ts'

t.setTimeout(60 * 60_000)
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=25:d=4']
const sound = ['-f', 'lavfi', '-i', 'sine=440:r=48000:d=4']
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']

t.test('beside a video that is encoded', async (t) => {
  const plain = await made('light.mp4', (output) => ffmpeg(...picture, ...sound, ...h264, output))
  const odd = await made('light-odd.mp4', (output) => ffmpeg(...picture, '-c:v', 'mpeg4', output))
  // An hour: its encoding outlasts the test.
  const long = await made('light-long.mp4', (output) =>
    ffmpeg('-stream_loop', '899', '-i', plain, '-c', 'copy', output),
  )
  await using service = await startService({
    change(config) {
      config.plugins = { video: true }
      config.plans.guest = Object.fromEntries(Object.keys(config.plans.guest).map((key) => [key, null])) as never
      config.queue.heavyWorkers = 1
      config.queue.workers = 4
    },
  })
  const fileOf = async (path: string) =>
    (await upload(service, form(new Uint8Array(await readFile(path)), 'film.mp4'))).json.file.fileId as string
  const begin = async (fileId: string, toFormat: string, options: object = {}) =>
    (await post(service, '/api/conversions', { fileId, toFormat, options })).json
  const read = async (id: string, wait = 0) =>
    (await get(service, `/api/conversions/${id}?wait=${wait}`)).json.conversion

  const first = await begin(await fileOf(long), 'webm')
  t.equal(first.queued, false)
  const [light, heavy] = [await fileOf(plain), await fileOf(odd)]
  for (const to of ['mkv', 'ts', 'flv', 'mov']) {
    const { conversionId, queued } = await begin(light, to)
    t.equal(queued, false, `to ${to}: it runs at once`)
    let conversion = await read(conversionId, 30)
    while (['queued', 'processing'].includes(conversion.status)) conversion = await read(conversionId, 30)
    t.equal(conversion.status, 'completed')
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
  for (const { conversionId } of [...waiting, first]) await post(service, `/api/conversions/${conversionId}/cancel`, {})
})
