/** The Debian packages that bring the engines. */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'a' }
const lists = '/var/lib/apt/lists'
/** Milliseconds after which package lists are fetched anew. */
const fresh = 3_600_000
/** -o: wait for another apt, retry downloads, keep an operator's changed files of /etc. */
const settings = [
  'DPkg::Lock::Timeout=600',
  'Acquire::Retries=3',
  'Dpkg::Use-Pty=0',
  'Dpkg::Options::=--force-confdef',
  'Dpkg::Options::=--force-confold',
].flatMap((setting) => ['-o', setting])
const install = [...settings, 'install', '--no-install-recommends']

/**
 * The packages of a list that a machine is to have. `for` are words: categories, `kernel` for what every machine needs,
 * `test` for the suite. An `extra` is installed only where it is asked for.
 *
 * @param choice `only` are the categories served; undefined: all
 */
export function wantedPackages(packages, { only, extras = false, tests = false }) {
  const serves = (word) => word === 'kernel' || (word === 'test' ? tests : !only || only.includes(word))
  return packages.filter((item) => (extras || !item.extra) && item.for.split(' ').some(serves))
}

/** Those of the packages that are not installed; all of them where there is no dpkg. */
export function missingPackages(wanted) {
  const format = `-f=\${db:Status-Abbrev}|\${Package}\n`
  const { stdout } = spawnSync('dpkg-query', ['-W', format, ...wanted.map((item) => item.package)], {
    encoding: 'utf8',
  })
  const installed = new Set((stdout ?? '').split('\n').flatMap((line) => /^.i.\|(.+)$/.exec(line)?.[1] ?? []))
  return wanted.filter((item) => !installed.has(item.package))
}

/** Installs packages, after saying which, why and how large. A failure is said and leaves the machine as it is. */
export async function installDebian(missing, isRoot) {
  const names = missing.map((item) => item.package)
  if (!hasAptGet()) {
    console.warn(`This is not Debian; engines come from what is installed here (on Debian: ${names.join(' ')}).`)
    return
  }
  if (!isRoot) {
    console.warn(`To have all engines, as root: apt-get install --no-install-recommends ${names.join(' ')}`)
    return
  }
  if (!listsAreFresh()) await apt('package lists', [...settings, 'update'])
  const known = knownPackages(names)
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) console.warn(`This Debian does not have: ${unknown.join(' ')}`)
  const items = missing.filter((item) => known.has(item.package))
  if (items.length === 0) return
  announce(items)
  const args = [...install, '--assume-yes', ...known]
  // Lists may be older than the mirror: fetch them and try once more.
  if (await apt('packages', args)) return
  await apt('package lists', [...settings, 'update'])
  if (!(await apt('packages', args, true))) console.warn('Some packages are missing; starting with what there is.')
}

function hasAptGet() {
  return spawnSync('apt-get', ['--version']).status === 0
}

function listsAreFresh() {
  const files = existsSync(lists) ? readdirSync(lists).filter((name) => /_(InRelease|Release)$/.test(name)) : []
  return files.some((name) => Date.now() - statSync(join(lists, name)).ctimeMs < fresh)
}

function knownPackages(names) {
  const { stdout } = spawnSync('apt-cache', ['show', '--no-all-versions', ...names], { encoding: 'utf8', env })
  const found = new Set([...(stdout ?? '').matchAll(/^Package: (\S+)$/gm)].map((match) => match[1]))
  return new Set(names.filter((name) => found.has(name)))
}

function announce(items) {
  const { stdout } = spawnSync('apt-get', [...install, '--assume-no', ...items.map((item) => item.package)], {
    encoding: 'utf8',
    env,
  })
  const download = /Need to get (?:\S+ \S+\/)?([\d.,]+ \w+) of archives/.exec(stdout)?.[1] ?? '0 B'
  const disk = /After this operation, ([\d.,]+ \w+) of additional/.exec(stdout)?.[1] ?? 'unknown size'
  const all = /(\d+) newly installed/.exec(stdout)?.[1] ?? '?'
  const total = `${items.length} Debian packages to install (${all} with what they need)`
  console.log(`${total}: ${download} to fetch, ${disk} on disk`)
  const width = Math.max(...items.map((item) => item.package.length))
  for (const item of items) console.log(`  ${item.package.padEnd(width)}  ${item.for}: ${item.why}`)
}

/** Runs apt-get, shows its progress, and resolves to whether it succeeded. A failure prints its last lines. */
async function apt(what, args, last = false) {
  // A folder that nobody else can write to: a name that can be guessed may be a link that somebody left.
  const folder = mkdtempSync(join(tmpdir(), 'athanor-apt-'))
  const log = join(folder, 'log')
  const fd = openSync(log, 'wx', 0o600)
  // Descriptor 3 carries apt's machine-readable progress: status:package:percent:text.
  const child = spawn('apt-get', ['-o', 'APT::Status-Fd=3', ...args], { env, stdio: ['ignore', fd, fd, 'pipe'] })
  const ended = new Promise((resolve) => child.on('error', () => resolve(1)).on('close', resolve))
  const show = progressLine(what)
  for await (const line of createInterface({ input: child.stdio[3] })) {
    const [kind, , percent] = line.split(':')
    if (kind === 'dlstatus') show('fetching', Number(percent))
    if (kind === 'pmstatus') show('installing', Number(percent))
  }
  const code = await ended
  closeSync(fd)
  if (code !== 0 && (last || what !== 'packages')) {
    console.warn(readFileSync(log, 'utf8').trimEnd().split('\n').slice(-8).join('\n'))
  }
  rmSync(folder, { recursive: true })
  return code === 0
}

/** One line that is rewritten on a terminal; elsewhere a line every tenth. */
function progressLine(what) {
  let shown = ''
  return (verb, percent) => {
    const step = process.stdout.isTTY ? Math.floor(percent) : Math.floor(percent / 10) * 10
    const text = `  ${verb} ${what}: ${step} %`
    if (text === shown) return
    shown = text
    process.stdout.write(process.stdout.isTTY ? `\r${text} ${percent >= 100 ? '\n' : ''}` : `${text}\n`)
  }
}
