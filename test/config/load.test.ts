import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { parseDocument, visit } from 'yaml'
import { type Environment, findMisspelt } from '../../config/environment.ts'
import { loadConfig } from '../../config/load.ts'
import { fileSchema } from '../../config/schema.ts'
import { StartError } from '../../kernel/errors.ts'

const root = join(import.meta.dirname, '../..')
const example = join(root, 'config/example.yaml')

/** Loads a configuration file with this content. */
function load(t: Test, yaml: string, env: Environment = {}, argv: string[] = []) {
  const CONFIG_FILE = join(t.testdir({ 'athanor.yaml': yaml }), 'athanor.yaml')
  return loadConfig({ env: { ...env, CONFIG_FILE }, argv })
}

const refuses = (t: Test, run: () => unknown, ...patterns: RegExp[]) => {
  const error = t.throws(run) as unknown as Error
  t.ok(error instanceof StartError, 'is written for the operator')
  for (const pattern of patterns) t.match(error.message, pattern)
}

t.test('without file and environment, the plans are those of the contract', async (t) => {
  const config = loadConfig({ env: {}, argv: [] })
  t.equal(config.plans.guest.maxFileSize, 25_000_000, 'MB is 10^6 bytes')
  t.equal(config.plans.business.bytesPerDay, 50_000_000_000)
  t.equal(config.plans.pro.requestsPerHour, 2000)
  t.match(config, { mode: 'development', host: '127.0.0.1', port: 3000, dataDir: join(root, 'data'), baseDir: root })
  t.match(config.timeouts, { light: 120_000, heavy: 3_600_000 }, 'seconds become milliseconds')
  t.match(config.retention, { guest: 7_200_000, account: 86_400_000 })
})

t.test('example.yaml shows every key of the schema with its default', async (t) => {
  const { baseDir: _, ...shown } = loadConfig({ env: { CONFIG_FILE: example }, argv: [] })
  const { baseDir: __, ...defaults } = loadConfig({ env: {}, argv: [] })
  t.strictSame(shown, defaults)
  const text = readFileSync(example, 'utf8')
  const present = new Set<string>()
  visit(parseDocument(text), { Pair: (_, pair) => void present.add(String(pair.key)) })
  const walk = (schema: any, path: string) => {
    t.match(schema.description, /\w.*\.$/, `${path} is documented`)
    for (const [key, child] of Object.entries(schema.properties ?? {})) {
      t.ok(present.has(key) || new RegExp(`^ *# +${key}:`, 'm').test(text), key)
      walk(child, `${path}.${key}`)
    }
  }
  walk(fileSchema, 'file')
})

t.test('a file overrides the defaults key by key', async (t) => {
  const config = load(t, 'plans: { guest: { pendingJobs: null, maxFileSize: 1.5 GB } }\nplugins: { ./extra: { a: 1 } }')
  t.equal(config.plans.guest.pendingJobs, null)
  t.equal(config.plans.guest.maxFileSize, 1_500_000_000)
  t.equal(config.plans.guest.conversionsPerDay, 10)
  t.match(config.plugins, { image: true, ebook: true, './extra': { a: 1 } })
})

t.test('at home, subtitles and fonts are on, unless the file closes them', async (t) => {
  const home = ['--home']
  t.match(loadConfig({ env: {}, argv: home }).plugins, { image: true, subtitle: true, font: true })
  t.match(load(t, 'plugins: { font: false }', {}, home).plugins, { image: true, subtitle: true, font: false })
  t.match(loadConfig({ env: {}, argv: [] }).plugins, { subtitle: false, font: false })
})

t.test('the environment overrides the file', async (t) => {
  const env = { PORT: '0', HOST: '::1', PUBLIC_URL: 'https://a.example/c/', TRUSTED_PROXIES: '10.0.0.0/8, ::1' }
  const config = load(t, 'port: 81\nhost: localhost\ntrustedProxies: [192.0.2.1]', env)
  t.match(config, { port: 0, host: '::1', publicUrl: 'https://a.example/c' })
  t.strictSame(config.trustedProxies, ['10.0.0.0/8', '::1'])
  t.equal(load(t, 'port: 81', { PORT: '' }).port, 81, 'an empty variable is unset')
})

t.test('an alias is checked and converted in each of its places', async (t) => {
  const config = load(t, 'retention: &r { guest: 1h, account: 2h }\nplans: { free: &p { maxFileSize: 1MB }, pro: *p }')
  t.equal(config.plans.pro.maxFileSize, 1_000_000)
  const shared = load(t, 'downloads: { tokenLifetime: &hour 1h }\nretention: { guest: *hour }')
  t.equal(shared.retention.guest, 3_600_000)
  const bomb = [
    'a: &a [x,x,x,x,x,x,x,x,x]',
    ...'bcdefgh'.split('').map((c, i) => `${c}: &${c} [${`*${'abcdefg'[i]},`.repeat(9)}]`),
  ]
  refuses(t, () => load(t, bomb.join('\n')), /alias/i)
})

t.test('providers require their keys, and their secrets are not printed', async (t) => {
  const provider = (text: string) => `accounts: { providers: { ${text} } }`
  const client = '{ clientId: a, clientSecret: b }'
  const own = 'x: { issuer: https://a.example, clientId: a, clientSecret: b }'
  t.strictSame(Object.keys(load(t, provider(`google: ${client}, ${own}`)).accounts.providers), ['google', 'x'])
  for (const [text, message] of [
    ['google: { clientId: a }', /accounts\.providers\.google\.clientSecret is missing/],
    [`x: ${client}`, /accounts\.providers\.x\.issuer is missing/],
    [`login: ${client}`, /accounts\.providers\.login: the key must be a name/],
  ] as const)
    refuses(t, () => load(t, provider(text)), message)
  const plain = 'x: { issuer: http://a.example, clientId: a, clientSecret: b }'
  refuses(t, () => load(t, provider(plain)), /issuer must be an https:\/\/ URL/)
  const error = t.throws(() => load(t, provider('x: [hidden]'))) as unknown as Error
  t.notMatch(error.message, 'hidden')
})

t.test('mail needs a sender, and links that do not depend on the Host header', async (t) => {
  const env = { SMTP_URL: 'smtps://user:hidden@mail.example', MAIL_FROM: 'Athanor <a@b.example>' }
  refuses(t, () => load(t, '', env), /SMTP_URL: needs PUBLIC_URL, or accounts\.resetUrl/)
  refuses(t, () => load(t, '', { ...env, MAIL_FROM: '' }), /SMTP_URL needs MAIL_FROM/)
  refuses(t, () => load(t, '', { ...env, MAIL_FROM: 'a@b\r\nBcc: c@d' }), /MAIL_FROM/)
  const error = t.throws(() => load(t, '', { ...env, SMTP_URL: 'http://user:hidden@mail.example' })) as unknown as Error
  t.match(error.message, /SMTP_URL must be a URL such as smtps:/)
  t.notMatch(error.message, 'hidden')
  t.match(load(t, '', { ...env, PUBLIC_URL: 'https://a.example' }).smtp, { url: env.SMTP_URL, from: env.MAIL_FROM })
  t.ok(load(t, 'accounts: { resetUrl: https://a.example/reset }', env).smtp)
})

t.test('an error names file, key, given value and allowed values', async (t) => {
  const cases: [string, RegExp][] = [
    ['plan: {}', /athanor\.yaml: plan is unknown: did you mean plans\?/],
    ['plans: { guest: { maxfilesize: 1 } }', /plans\.guest\.maxfilesize is unknown: did you mean maxFileSize\?/],
    ['plans: { guest: { maxFileSize: 25MX } }', /plans\.guest\.maxFileSize must be .*25MB or 2GB.*, not "25MX"/],
    ['plans: { guest: { maxFileSize: .inf } }', /plans\.guest\.maxFileSize must be .*, not "Infinity"/],
    ['plans: { guest: { pendingJobs: 0 } }', /plans\.guest\.pendingJobs must be .*1 to 1000000.*, not 0/],
    ['timeouts: { heavy: 1y }', /timeouts\.heavy must be .*30s, 15m.*, not "1y"/],
    ['timeouts: { light: 0 }', /timeouts\.light must be .*, not 0/],
    ['sandbox: bubblewarp', /sandbox must be .*"bubblewrap" or "none".*, not "bubblewarp"; did you mean bubblewrap\?/],
    ['trustedProxies: [10.0.0.0/33]', /trustedProxies\[0\] must be .*, not "10\.0\.0\.0\/33"/],
    ['plugins: { image: 3 }', /plugins\.image must be true, false or an object of settings, not 3/],
    ['tools: { disabled: [PNG] }', /tools\.disabled\[0\] must be .*, not "PNG"/],
    ['publicUrl: ftp://x', /publicUrl must be .*https?:\/\/.*, not "ftp:\/\/x"/],
    ['imports: { allowNetworks: [home] }', /imports\.allowNetworks\[0\] must be .*CIDR.*, not "home"/],
    ['imports: { nameServers: [dns.example] }', /imports\.nameServers\[0\] must be .*9\.9\.9\.9.*, not "dns\.example"/],
    ['imports: { providers: { dropbox: { clientId: a } } }', /imports\.providers\.dropbox\.clientSecret is missing/],
    ['imports: { providers: { dropbox: { clientSecret: hunter2 } } }', /^(?!.*hunter2).*dropbox\.clientId is missing/],
    [
      'imports: { providers: { dropbox: { clientId: a, clientSecret: 7777 } } }',
      /^(?!.*7777).*clientSecret must be a string/,
    ],
    ['imports: { providers: { dropbox: { clientId: a, clientSecret: b, revokeUrl: x } } }', /revokeUrl is unknown/],
    ['imports: { providers: { s3: maybe } }', /imports\.providers\.s3 must be .*true or false.*, not "maybe"/],
    ['port: 1\nport: 2', /Map keys must be unique/],
    ['port: [', /athanor\.yaml/],
    ['- 1', /the file must be an object with keys .*, not the list \[1\]/],
    ['__proto__: { port: 1 }', /__proto__ is unknown/],
  ]
  for (const [yaml, pattern] of cases) refuses(t, () => load(t, yaml), pattern)
  refuses(t, () => load(t, 'a: 1\nb: 2'), /: a is unknown/, /: b is unknown/)
  const missing = { CONFIG_FILE: '/nowhere.yaml' }
  refuses(t, () => loadConfig({ env: missing, argv: [] }), /CONFIG_FILE: \/nowhere\.yaml .*ENOENT/)
})

t.test('an error about the environment names the variable, and hides secrets', async (t) => {
  const refused = (env: Environment, pattern: RegExp) => refuses(t, () => loadConfig({ env, argv: [] }), pattern)
  refused({ PORT: '65536' }, /environment: PORT must be .*0 to 65535.*, not 65536/)
  refused({ PORT: 'x' }, /PORT must be .*, not "x"/)
  refused({ TLS_CERT: '/no.pem', TLS_KEY: '/no.pem' }, /TLS_CERT: \/no\.pem .*ENOENT/)
  refused({ TLS_CERT: 'a' }, /TLS_CERT needs TLS_KEY/)
  refused({ NODE_ENV: 'production' }, /JWT_SECRET: required in production/)
  refused({ REDIS_URL: 'redis://h' }, /REDIS_URL needs JWT_SECRET/)
  refused({ REDIS_URL: 'http://h' }, /REDIS_URL must be .*redis:\/\/user/)
  const places = ['s3://b', 's3://key:hunter2@bucket', 's3://bucket?endpoint=https://u:hunter2@h', 's3://bucket?acl=x']
  for (const STORAGE_URL of [...places, 's3://bucket/..%2f', 'file:///', 'file://host/mnt', 'https://h', '/mnt'])
    refused({ STORAGE_URL }, /STORAGE_URL must be (?!.*hunter2).*file:\/\/\/.*without credentials/)
  refused({ ROLE: 'master' }, /ROLE must be "all", "api" or "worker", not "master"/)
  refused({ ROLE: 'worker' }, /ROLE: worker .* need REDIS_URL/)
  refused({ DATABASE_URL: 'postgres://u:hunter2@h' }, /DATABASE_URL must be (?!.*hunter2).*mysql:\/\//)
  refused({ JWT_SECRET: 'hunter2' }, /JWT_SECRET must be (?!.*hunter2).*32 characters/)
})

t.test('secrets come from files', async (t) => {
  const secret = 'x'.repeat(32)
  const folder = t.testdir({
    secret: `${secret}\r\n`,
    url: 'mysql://u:p@h/d\n',
    none: '\n',
    short: 'hunter2',
    many: 'x'.repeat(20_000),
  })
  const at = (name: string) => join(folder, name)
  writeFileSync(at('bytes'), Buffer.alloc(40, 0xff))
  const from = (env: Environment) => loadConfig({ env, argv: [] })
  const env = { NODE_ENV: 'production', JWT_SECRET_FILE: at('secret'), DATABASE_URL_FILE: at('url') }
  t.match(from(env), { jwtSecret: secret, databaseUrl: 'mysql://u:p@h/d' })
  const refused = (env: Environment, pattern: RegExp) => refuses(t, () => from(env), pattern)
  refused({ ...env, JWT_SECRET: secret }, /JWT_SECRET and JWT_SECRET_FILE are both set/)
  refused({ JWT_SECRET_FILE: at('nowhere') }, /JWT_SECRET_FILE: \S+nowhere cannot be read \(ENOENT\)/)
  refused({ JWT_SECRET_FILE: at('none') }, /JWT_SECRET_FILE: \S+none is empty/)
  refused({ JWT_SECRET_FILE: at('bytes') }, /JWT_SECRET_FILE: \S+bytes is not text/)
  refused({ JWT_SECRET_FILE: at('short') }, /JWT_SECRET must be (?!.*hunter2).*32 characters/)
  for (const path of [folder, '/dev/zero', at('many')])
    refused({ METRICS_TOKEN_FILE: path }, /METRICS_TOKEN_FILE: \S+ must be a file of one secret/)
  refused({ JWT_SECRET_PREVIOUS: secret }, /JWT_SECRET_PREVIOUS needs JWT_SECRET/)
})

t.test('nodes that serve clients stop only when load balancers know it', async (t) => {
  const places = { DATABASE_URL: 'mysql://h/d', REDIS_URL: 'redis://h', STORAGE_URL: 's3://bucket' }
  const shared = { ...places, JWT_SECRET: 'x'.repeat(32) }
  const delay = (env: Environment, yaml = '') => load(t, yaml, env).shutdown.delay
  t.equal(delay({}), 0)
  t.equal(delay(shared), 10_000)
  t.equal(delay({ ...shared, ROLE: 'api' }), 10_000)
  t.equal(delay({ ...shared, ROLE: 'worker' }), 0)
  t.equal(delay(shared, 'shutdown: { delay: 0 }'), 0)
  t.equal(delay({}, 'shutdown: { delay: 3s }'), 3000)
})

t.test('NODE_ENV has three allowed values; in production, it listens everywhere', async (t) => {
  const jwtSecret = 'x'.repeat(32)
  const from = (NODE_ENV?: string) => loadConfig({ env: { NODE_ENV, JWT_SECRET: jwtSecret }, argv: [] })
  t.equal(from().mode, 'development')
  t.equal(from('test').mode, 'development')
  t.match(from('production'), { mode: 'production', host: '0.0.0.0', jwtSecret })
  for (const name of ['prod', 'Production'])
    refuses(t, () => from(name), new RegExp(`NODE_ENV must be "development", "test" or "production", not "${name}"`))
})

t.test('misspelt variables', async (t) => {
  const load = (env: Environment) => loadConfig({ env, argv: [] })
  refuses(t, () => load({ ATHANOR_DATA_DIR: '/srv' }), /ATHANOR_DATA_DIR: unknown; did you mean DATA_DIR\?/)
  refuses(t, () => load({ ATHANOR_TRUSTED_PROXIES: '::1' }), /did you mean TRUSTED_PROXIES\?/)
  const port = 'tcp://10.0.0.1:3000'
  const kubernetes = { ATHANOR_PORT: port, ATHANOR_SERVICE_HOST: '10.0.0.1', ATHANOR_PORT_3000_TCP: 'x' }
  t.ok(load(kubernetes), 'what Kubernetes sets for a service of that name')
  t.ok(load({ ATHANOR_CORPUS: '/corpus' }), 'what tests read')
  const given = { TRUSTED_PROXY: '::1', DATABASE_URI: 'x', HOME: '/', SHELL: 'sh', PORTS: '1' }
  const { possible, certain } = findMisspelt(given)
  t.strictSame(certain, [])
  t.strictSame(possible, [
    { given: 'TRUSTED_PROXY', meant: 'TRUSTED_PROXIES' },
    { given: 'DATABASE_URI', meant: 'DATABASE_URL' },
  ])
  t.strictSame(findMisspelt({ DATABASE_URI: 'x', DATABASE_URL: 'mysql://h/d' }).possible, [], 'ours is set')
})

t.test('implausible sizes, times and counts', async (t) => {
  const cases: [string, RegExp][] = [
    ['limits: { memory: 1 }', /limits\.memory must be .*bytes \(128MB or more\).*, not 1/],
    ['limits: { memory: 127MB }', /limits\.memory/],
    ['limits: { disk: 1MB }', /limits\.disk must be .*10MB or more.*, not "1MB"/],
    ['limits: { files: 1 }', /limits\.files must be .*100 to.*, not 1/],
    ['plans: { guest: { maxFileSize: 25 } }', /plans\.guest\.maxFileSize must be .*1KB or more.*, not 25/],
    ['plans: { pro: { bytesPerDay: 3 } }', /plans\.pro\.bytesPerDay must be .*, not 3/],
    ['plans: { pro: { bytesPerDay: 99999999TB } }', /plans\.pro\.bytesPerDay/],
    ['retention: { guest: 2 }', /retention\.guest must be .*1m to 3650d.*, not 2/],
    ['accounts: { sessionLifetime: 7 }', /sessionLifetime must be .*, not 7/],
    ['downloads: { tokenLifetime: 5s }', /tokenLifetime must be .*10s to.*, not "5s"/],
    // setTimeout would fire at once.
    ['timeouts: { heavy: 30d }', /timeouts\.heavy must be .*1s to 24d.*, not "30d"/],
    ['shutdown: { grace: 100d }', /shutdown\.grace must be .*to 24d.*, not "100d"/],
    ['http: { idleTimeout: 59s }', /idleTimeout must be .*1m to 24d.*, not "59s"/],
  ]
  for (const [yaml, pattern] of cases) refuses(t, () => load(t, yaml), pattern)
  const least = 'limits: { memory: 128MB, disk: 10MB, files: 100, freeDisk: 0 }\nshutdown: { grace: 0 }'
  t.match(load(t, least), { limits: { memory: 128e6, disk: 10e6, freeDisk: 0 }, shutdown: { grace: 0 } })
})

t.test('errors do not quote the file: a line may contain a secret', async (t) => {
  const secret = 'hunter2-of-the-service'
  const files: [string, RegExp][] = [
    [`accounts: { providers: { google: { clientSecret: "${secret}`, /quote at line 1, column \d+\./],
    [`metrics:\n  token: ${secret}: x`, /Nested mappings .* at line 2, column 10\./],
    [`metrics: { token: !x${secret} 1 }`, /Unresolved tag at line 1, column 19\./],
    [`metrics: { token: "\\q${secret}" }`, /escape sequence at line 1, column \d+\./],
    [`metrics: { token: *${secret} }`, /Unresolved alias/],
    [`metrics: { token: 1, token: ${secret} }`, /unique at line 1, column 22\./],
    [`metrics: ${secret}`, /metrics must be an object with keys from port, host, token/],
    [`accounts: [${secret}]`, /accounts must be an object with keys from/],
    [`imports: { providers: { dropbox: ${secret} } }`, /dropbox must be an object with keys from .* or null\./],
  ]
  for (const [yaml, pattern] of files) {
    refuses(t, () => load(t, yaml), pattern)
    const { message } = t.throws(() => load(t, yaml)) as unknown as Error
    t.notMatch(message, /hunter2|\n/, yaml)
  }
})

t.test('--only disables the other plugins, and refuses unknown names', async (t) => {
  const yaml = 'plugins: { ./extra: true, ./more: true }'
  t.strictSame(load(t, yaml, {}, ['--only', './extra,image']).plugins, { image: true, './extra': true })
  t.strictSame(Object.keys(load(t, yaml, {}, ['--no-setup', '--only=image']).plugins), ['image'])
  t.strictSame(Object.keys(load(t, yaml, { ATHANOR_ONLY: 'image' }).plugins), ['image'])
  const unknown = /--only: there is no plugin "imag".*image.*Did you mean image\?/
  refuses(t, () => load(t, yaml, {}, ['--only', 'imag']), unknown)
  refuses(t, () => load(t, yaml, {}, ['--only=']), /--only: there is no plugin ""/)
  refuses(t, () => load(t, yaml, {}, ['--onyl', 'image']), /--onyl.*--only/)
})

t.test('STORAGE_URL names a shared folder or a bucket', async (t) => {
  const place = (STORAGE_URL?: string) => loadConfig({ env: { STORAGE_URL }, argv: [] }).storagePlace
  t.equal(place(), undefined, 'the data folder')
  t.strictSame(place('file:///mnt/share/'), { driver: 'folder', folder: '/mnt/share' })
  const amazon = { driver: 's3', bucket: 'my-files', prefix: '', endpoint: undefined, region: undefined }
  t.strictSame(place('s3://my-files'), amazon)
  t.strictSame(place('s3://my-files/a/b?endpoint=http://127.0.0.1:9000/&region=eu-1'), {
    ...amazon,
    prefix: 'a/b/',
    endpoint: 'http://127.0.0.1:9000',
    region: 'eu-1',
  })
})
