/** The files for operators: read by the programs that they are for, and nginx in front of a real service. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { startAthanor } from '../services/athanor.ts'
import { makeCertificate } from '../services/certificate.ts'
import { freePort } from '../services/free-port.ts'

const deploy = join(import.meta.dirname, '../../config/deploy')
const run = promisify(execFile)

t.test('systemd accepts the unit', async (t) => {
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', join(deploy, 'athanor.service')])
  // It also complains of units of the machine.
  t.strictSame(
    `${stdout}${stderr}`.split('\n').filter((line) => line.includes('athanor.service')),
    [],
  )
})

t.test('Compose accepts the file for a household', async (t) => {
  const { stdout } = await run('docker-compose', ['-f', join(deploy, 'compose-home.yaml'), 'config'])
  t.match(stdout, /ATHANOR_PROFILE: home/)
})

// Its package would serve port 80 from the next boot, so that setup does not install it.
const skip = !existsSync('/usr/sbin/nginx') && 'nginx is not installed'
t.test('nginx in front of the service in production', { skip }, async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'athanor-deploy-'))
  await chmod(folder, 0o711)
  t.teardown(() => rm(folder, { recursive: true, force: true }))
  const { key, cert } = makeCertificate(folder)!
  const env = { NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32), TRUSTED_PROXIES: '127.0.0.1' }
  const service = await startAthanor(join(folder, 'data'), {}, env)
  t.teardown(() => service.end('SIGKILL'))

  const port = await freePort()
  const site = (await readFile(join(deploy, 'nginx.conf'), 'utf8'))
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace('/etc/ssl/convert.pem', cert)
    .replace('/etc/ssl/convert.key', key)
    .replace('http://127.0.0.1:3000', service.base)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const whole = `pid ${folder}/pid; events {} http { access_log off; ${paths.join(' ')}\n${site} }`
  await writeFile(join(folder, 'nginx.conf'), whole)
  const nginx = spawn('/usr/sbin/nginx', ['-c', join(folder, 'nginx.conf'), '-g', 'daemon off;', '-e', 'stderr'])
  nginx.stderr.on('data', (said) => t.comment(`${said}`))
  const ended = once(nginx, 'exit')
  t.teardown(async () => {
    // Its workers end with it.
    nginx.kill('SIGTERM')
    await ended
  })

  const base = `https://127.0.0.1:${port}`
  const common = ['-s', '--fail-with-body', '--cacert', cert, '--retry', '9', '--retry-connrefused']
  const curl = async (...args: string[]) => (await run('curl', [...common, ...args], { maxBuffer: 2 ** 26 })).stdout
  // nginx takes 1 MB by default.
  const text = 'Once upon a time.\n'.repeat(200_000)
  await writeFile(join(folder, 'a.stub'), `STUB\n${text}`)
  const upload = JSON.parse(await curl('-F', `file=@${join(folder, 'a.stub')}`, `${base}/api/uploads`))
  const start = JSON.stringify({ fileId: upload.file.fileId, toFormat: 'bust' })
  const { conversionId } = JSON.parse(await curl('--json', start, `${base}/api/conversions`))
  const { conversion } = JSON.parse(await curl(`${base}/api/conversions/${conversionId}?wait=30`))
  t.match(conversion, { status: 'completed', outputUrl: /^https:\/\/127\.0\.0\.1\/api\/files\// })
  const { pathname, search } = new URL(conversion.outputUrl)
  t.equal((await curl(base + pathname + search)).length, conversion.outputSize)
})
