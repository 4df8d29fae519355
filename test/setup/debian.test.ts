/** Setup of Debian packages with fakes for dpkg-query, apt-get and apt-cache, which log their calls. */
import { execFile } from 'node:child_process'
import { chmodSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'

const module = join(import.meta.dirname, '../../config/setup/debian.mjs')
const setup = join(import.meta.dirname, '../../config/setup.mjs')
const wanted = [
  { package: 'present', for: 'image', why: 'is there' },
  { package: 'removed', for: 'image', why: 'left its configuration' },
  { package: 'absent', for: 'audio', why: 'is not there' },
  { package: 'unheard-of', for: 'audio', why: 'is in no list' },
]

const standIns = {
  'dpkg-query':
    "#!/bin/sh\nprintf 'ii |present\\nrc |removed\\n'; echo 'no packages found matching absent' >&2; exit 1\n",
  'apt-cache': "#!/bin/sh\nprintf 'Package: removed\\n\\nPackage: absent\\n'; exit 100\n",
  'apt-config': '#!/bin/sh\nprintf "LISTS=\'%s\'\\n" "$LISTS"\n',
  'apt-get': `#!/bin/sh
echo "$*" >>"$LOG"
case " $* " in
*' --version '*) ;;
*' --assume-no '*)
  echo '0 upgraded, 7 newly installed, 0 to remove'
  echo 'Need to get 1,234 kB of archives.'
  echo 'After this operation, 5.6 MB of additional disk space will be used.'
  exit 1 ;;
*' install '*)
  echo 'dlstatus:1:42.5:Retrieving' >&3
  echo 'pmstatus:absent:100:Installed absent' >&3
  echo 'E: the disk is full' >&2
  exit "$CODE" ;;
esac
`,
}

/** Runs setup with only the fakes on PATH. Resolves to its output and the calls of apt-get. */
async function install(t: Test, { isRoot = true, code = 0, apt = true, how = {}, lists = '' } = {}) {
  const { 'apt-get': aptGet, ...others } = standIns
  const folder = t.testdir({
    log: '',
    bin: apt ? { ...others, 'apt-get': aptGet } : others,
    lists: { archive_InRelease: lists },
  })
  for (const name of Object.keys(apt ? standIns : others)) chmodSync(join(folder, 'bin', name), 0o755)
  const script = `import { installDebian, missingPackages } from ${JSON.stringify(module)}
    const missing = missingPackages(${JSON.stringify(wanted)})
    console.log('missing', missing.map((item) => item.package).join())
    await installDebian(missing, ${isRoot}, ${JSON.stringify(how)})`
  const log = join(folder, 'log')
  const env = { PATH: join(folder, 'bin'), LOG: log, CODE: String(code), LISTS: join(folder, 'lists') }
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env })
  return { said: stdout + stderr, calls: readFileSync(log, 'utf8').trim().split('\n') }
}

t.test('missing packages are listed with reason and size, then installed with progress', async (t) => {
  const { said, calls } = await install(t)
  t.match(said, 'missing removed,absent,unheard-of')
  const announced = said.indexOf('1,234 kB to download, 5.6 MB on disk')
  t.ok(announced > 0, 'the size')
  t.match(said, /2 Debian packages to install \(7 with what they need\)/)
  t.match(said, /absent +audio: is not there/)
  t.match(said, 'This version of Debian has no packages named unheard-of')
  t.ok(said.indexOf('fetching packages: 40 %') > announced, 'progress after the announcement')
  t.match(said, 'installing packages: 100 %')
  const [done] = calls.filter((call) => call.includes('--assume-yes'))
  t.match(done, /install --no-install-recommends --assume-yes removed absent$/)
  t.match(done, 'DPkg::Lock::Timeout=')
  const update = calls.findIndex((call) => / update$/.test(call))
  t.match(calls[update], 'APT::Update::Error-Mode=any', 'all package lists are fetched before')
  t.ok(update < calls.indexOf(done!))
  t.notMatch(calls.join('\n'), / upgrade /, 'other packages of the machine are left alone')
  t.match(said, 'There is no package list of the security archive')
})

t.test('an image is upgraded, and needs the list of the security archive', async (t) => {
  const how = { upgrade: true, strict: true }
  await t.rejects(install(t, { how, lists: 'Suite: stable\n' }), {
    code: 1,
    stderr: /--strict: There is no package list of the/,
  })
  const { calls } = await install(t, { how, lists: 'Suite: stable-security\n' })
  const upgrade = calls.findIndex((call) => / upgrade --with-new-pkgs --assume-yes$/.test(call))
  t.ok(upgrade > 0 && upgrade < calls.findIndex((call) => call.includes('install --no-install')))
})

t.test("a failure is retried, then reported with apt-get's output, and does not stop setup", async (t) => {
  const { said, calls } = await install(t, { code: 100 })
  t.equal(calls.filter((call) => call.includes('--assume-yes')).length, 2)
  t.match(said, 'E: the disk is full')
  t.match(said, 'Some packages could not be installed')
})

t.test('without root, or without apt-get, it prints one line and installs nothing', async (t) => {
  const { said, calls } = await install(t, { isRoot: false })
  t.match(said, 'as root: apt-get install --no-install-recommends removed absent unheard-of\n')
  t.notMatch(calls.join('\n'), /install|update/)
  t.match((await install(t, { apt: false })).said, /This is not Debian.*removed absent unheard-of/)
})

t.test('--strict fails and builds nothing if a package is missing at the end, as for an image', async (t) => {
  const { failed, calls } = setUp(t, [])
  await t.rejects(failed, { code: 1, stderr: /--strict: these packages are not installed: bubblewrap .*lzip/ })
  t.ok(calls().some((call) => call.includes('--assume-yes bubblewrap')))
})

t.test('the user of the engines comes before the packages, whose users could take its number', async (t) => {
  const asRoot = process.getuid!() === 0 ? [] : ['--user', '--map-root-user']
  const others = 'mount --bind "$OTHERS" /etc/passwd && PATH=$FAKES exec "$@"'
  const { failed, calls } = setUp(t, ['unshare', ...asRoot, '--mount', 'sh', '-c', others, 'sh'])
  await t.rejects(failed, { code: 1, stderr: /--strict/ })
  const created = calls().findIndex((call) => /^useradd .* athanor$/.test(call))
  t.ok(created >= 0)
  t.ok(created < calls().findIndex((call) => call.includes('--assume-yes')))
})

/** Runs the whole setup with fakes, on a machine without packages whose only user is root. */
function setUp(t: Test, through: readonly string[]) {
  const useradd = '#!/bin/sh\necho "useradd $*" >>"$LOG"\n'
  const aptCache = '#!/bin/sh\nprintf "Package: %s\\n" "$@"\n'
  const bin = { ...standIns, 'apt-cache': aptCache, useradd }
  const lists = { archive_InRelease: 'Suite: stable-security\n' }
  const folder = t.testdir({ log: '', passwd: 'root:x:0:0::/:/bin/sh\n', bin, lists })
  for (const name of Object.keys(bin)) chmodSync(join(folder, 'bin', name), 0o755)
  const FAKES = join(folder, 'bin')
  const env = {
    FAKES,
    OTHERS: join(folder, 'passwd'),
    LOG: join(folder, 'log'),
    CODE: '100',
    LISTS: join(folder, 'lists'),
  }
  const [program, ...args] = [...through, process.execPath, setup, '--strict', '--only=archive']
  const PATH = through.length > 0 ? process.env.PATH : FAKES
  const failed = promisify(execFile)(program!, args, { env: { ...env, PATH } })
  return { failed, calls: () => readFileSync(env.LOG, 'utf8').trim().split('\n') }
}
