/** The package as its users have it: built, packed, installed into an empty project, and typed. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import sharp from 'sharp'
import { Webhook } from 'standardwebhooks'
import t from 'tap'
import { clientTypes, openPlugins } from '../../client/build/options.ts'
import { folderOf } from '../harness/folder.ts'
import { serviceOf } from '../harness/service.ts'
import { packClient, run } from './packed.ts'

const root = join(import.meta.dirname, '../..')
const bin = join(root, 'node_modules/.bin')
t.test('the package', { timeout: 600_000 }, async (t) => {
  const folder = await folderOf(t)
  const { built, project, files } = await packClient(folder)

  await t.test('is small, and has no dependencies', async (t) => {
    const scripts = files.filter((path) => path.endsWith('.js'))
    const sizes = await Promise.all(
      scripts.map(async (path) => brotliCompressSync(await readFile(join(built, path))).length),
    )
    const parts = scripts.findIndex((path) => path.includes('/parts-'))
    t.ok(parts >= 0, 'uploads in parts are a file of their own')
    const all = sizes.reduce((sum, size) => sum + size, 0)
    t.ok(all - sizes[parts]! <= 8192, `${all - sizes[parts]!} bytes`)
    t.strictSame(await readdir(join(project, 'node_modules/@athanor')), ['client'])
    t.strictSame(
      (await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.')),
      ['@athanor'],
    )
    t.ok(files.includes('README.md'))
  })

  await t.test('its types', async (t) => {
    const check = async (code: string) => {
      await writeFile(join(project, 'check.ts'), `import { Athanor } from '@athanor/client'\n${code}\nexport {}\n`)
      const args = [
        '--strict',
        '--noEmit',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--lib',
        'es2023,dom',
        '--types',
        '',
      ]
      return run(join(bin, 'tsc'), [...args, 'check.ts'], project).then(
        () => 'fits',
        ({ stdout }) => stdout as string,
      )
    }
    const athanor = "const athanor = new Athanor({ url: 'http://localhost:3000' })\n"
    t.equal(
      await check(`${athanor}const result = await athanor.convert('a.png', 'jpg', { quality: 80 })
      const size: number = result.size
      await athanor.convert('a', 'new-format', { anything: true })
      await athanor.convert('a', 'mp3', { bitrate: 192 })
      for await (const done of athanor.convertAll(['a'], 'webp', { lossless: true, concurrency: 2 })) {
        if ('error' in done) throw done.error
        else await done.result.save('x')
      }`),
      'fits',
    )
    t.match(await check(`${athanor}await athanor.convert('a.png', 'jpg', { quality: 'high' })`), /quality|number/)
    t.match(await check(`${athanor}await athanor.convert('a.png', 'jpg', { crf: 23 })`), /crf/)
    t.match(await check(`${athanor}await athanor.convert(7, 'jpg')`), /Source/)
    const declared = (await readdir(join(built, 'dist'))).filter((name) => name.endsWith('.d.ts'))
    const any = []
    for (const name of declared)
      if (/: any\b|<any\b/.test((await readFile(join(built, 'dist', name), 'utf8')).replace(/\/\*[\s\S]*?\*\//g, '')))
        any.push(name)
    t.strictSame(any, [], 'nothing is without a type')
  })

  await t.test('the examples of its README', async (t) => {
    const service = await serviceOf(t, {
      engines: true,
      change: (config) => {
        config.plugins = { document: true, image: true }
        config.plans.guest = { ...config.plans.guest, conversionsPerDay: null, pendingJobs: null }
      },
    })
    await writeFile(join(project, 'notes.md'), '# Hello\n\nThis becomes a *page*.\n')
    const red = { create: { width: 8, height: 8, channels: 3, background: 'red' } } as const
    await writeFile(join(project, 'photo.png'), await sharp(red).png().toBuffer())
    const readme = await readFile(join(root, 'client/README.md'), 'utf8')
    const blocks = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code]) => code!)
    t.equal(blocks.length, 4)
    await writeFile(join(project, 'examples.ts'), blocks.join('\n'))
    const { stdout } = await run(process.execPath, ['examples.ts'], project, {
      ATHANOR_URL: service.base,
      ATHANOR_API_KEY: undefined,
    })
    t.match(stdout, /processing \d+[\s\S]*photo\.jpg \d+/)
    t.match(await readFile(join(project, 'notes.html'), 'utf8'), /<h1/)
    t.match(await readFile(join(project, 'notes.txt'), 'utf8'), /This becomes a/)
    for (const name of ['notes.pdf', 'photo.pdf'])
      t.match((await readFile(join(project, name))).toString('latin1', 0, 5), '%PDF-')
    const listed = await run('unzip', ['-Z1', 'all.zip'], project)
    t.match(listed.stdout, /notes\.html/)
    t.strictSame(
      (await readdir(project)).filter((name) => name.endsWith('.part')),
      [],
    )
  })

  await t.test('verifies webhooks as their own library signs them', async (t) => {
    const secret = `whsec_${Buffer.from('x'.repeat(32)).toString('base64')}`
    const body = JSON.stringify({ type: 'test', timestamp: new Date().toISOString(), data: { id: 'test_1' } })
    const { verifyWebhook } = await import(join(project, 'node_modules/@athanor/client/dist/athanor.js'))
    const now = new Date()
    const headersAt = (date: Date, id = 'msg_1') => ({
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(date.getTime() / 1000)}`,
      'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', date, body)}`,
    })
    t.match(await verifyWebhook(body, headersAt(now), secret), { type: 'test' })
    t.match(await verifyWebhook(Buffer.from(body), new Headers(headersAt(now)), secret), { type: 'test' })
    const old = new Date(now.getTime() - 600_000)
    for (const [what, headers, text] of [
      ['another body', headersAt(now), body.replace('test_1', 'test_2')],
      ['another id', headersAt(now, 'msg_2'), body],
      ['an old message', headersAt(old), body],
      ['no headers', {}, body],
    ] as const)
      await t.rejects(verifyWebhook(text, headers, secret), Error, what)
  })
})

t.test('the types of targets and options are those of the plugins', async (t) => {
  const written = await readFile(join(root, 'client/options.ts'), 'utf8')
  const plain = (text: string) => text.replace(/[\s|]+/g, ' ').replace(/\? /g, '?')
  t.equal(plain(written), plain(clientTypes(await openPlugins())), 'npm run client-types writes them')
})
