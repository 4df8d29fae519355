import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import t from 'tap'
import { colourAt, near } from './pictures.ts'
import { studio } from './studio.ts'

const { convert, can, ...rest } = await studio()
t.teardown(() => rest[Symbol.asyncDispose]())

/** A video of two seconds, red and then blue, 320 by 180 pixels unless the filter changes that. */
async function film(extension: string, ...codec: string[]): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'film-'))
  const file = join(folder, `film.${extension}`)
  const scenes = ['red', 'blue'].flatMap((colour) => ['-f', 'lavfi', '-i', `color=${colour}:s=320x180:r=25:d=1`])
  execFileSync('ffmpeg', ['-v', 'error', ...scenes, '-filter_complex', '[0][1]concat=n=2', ...codec, file])
  const bytes = await readFile(file)
  await rm(folder, { recursive: true })
  return bytes
}

t.test('videos become animated gifs', { skip: !can('mp4', 'gif') }, async (t) => {
  const files: Record<string, Buffer> = {
    mp4: await film('mp4', '-c:v', 'libx264', '-pix_fmt', 'yuv420p'),
    webm: await film('webm', '-c:v', 'libvpx', '-b:v', '1M'),
    avi: await film('avi', '-c:v', 'mpeg4'),
  }
  for (const [from, bytes] of Object.entries(files)) {
    const made = await convert(bytes, from, 'gif')
    const meta = await sharp(made.bytes, { animated: true }).metadata()
    t.same([meta.width, meta.pageHeight, meta.loop], [320, 180, 0], from)
    const duration = meta.delay!.reduce((sum, part) => sum + part, 0)
    t.ok(Math.abs(duration - 2000) < 200, `${duration} ms`)
    t.ok(near(await colourAt(made.bytes, 100, 100, 0), [255, 0, 0], 20), 'red first')
    t.ok(near(await colourAt(made.bytes, 100, 100, meta.pages! - 1), [0, 0, 255], 20), 'blue last')
  }
  const sizes: [object, number[]][] = [
    [{ maxWidth: 160 }, [160, 90]],
    [{ maxHeight: 45 }, [80, 45]],
    [{ maxWidth: 1000, maxHeight: 1000 }, [320, 180]],
    [{ maxWidth: 100, maxHeight: 100, fit: 'cover' }, [100, 100]],
    [{ maxWidth: 100, maxHeight: 100, fit: 'contain' }, [100, 100]],
    [{ maxWidth: 100, maxHeight: 100, fit: 'outside' }, [178, 100]],
  ]
  for (const [options, size] of sizes) {
    const { bytes } = await convert(files.mp4!, 'mp4', 'gif', options)
    const meta = await sharp(bytes).metadata()
    t.ok([0, 49].includes(bytes[12]!), 'square pixels')
    t.same([meta.width, meta.pageHeight ?? meta.height], size, JSON.stringify(options))
  }
  const single = await convert(await film('mp4', '-frames:v', '1', '-pix_fmt', 'yuv420p'), 'mp4', 'gif')
  t.ok(near(await colourAt(single.bytes, 100, 100), [255, 0, 0], 20), 'a film of one frame')
  const broken = await convert(Buffer.from('ffconcat version 1.0\nfile /etc/passwd\n'), 'mp4', 'gif').catch((e) => e)
  t.equal(broken.code, 'CONVERSION_ERROR')
})
