/** The engines' Debian packages. */
import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const env = { ...process.env, LC_ALL: 'C', DEBIAN_FRONTEND: 'noninteractive', NEEDRESTART_MODE: 'a' }
/** -o: wait for another apt, retry downloads, keep files in /etc that the operator changed. */
const settings = [
  'DPkg::Lock::Timeout=600',
  'Acquire::Retries=3',
  'Dpkg::Use-Pty=0',
  'Dpkg::Options::=--force-confdef',
  'Dpkg::Options::=--force-confold',
].flatMap((setting) => ['-o', setting])
const install = [...settings, 'install', '--no-install-recommends']

/**
 * The packages to install. Their `for` is a list of words: categories, `kernel` for every machine, `test` for the
 * tests. Packages with `extra` are installed only on request.
 *
 * @param choice `only` lists the categories to serve. Default: all. `languages` lists the languages that scans are read
 * in, as Tesseract calls them. Default: those of the list
 */
export function wantedPackages(packages, { only, extras = false, tests = false, languages }) {
  const serves = (word) => word === 'kernel' || (word === 'test' ? tests : !only || only.includes(word))
  const wanted = packages.filter((item) => (extras || !item.extra) && item.for.split(' ').some(serves))
  const listed = wanted.filter((item) => item.language)
  if (!languages || listed.length === 0) return wanted
  const others = languages.map((language) => ({
    package: `tesseract-ocr-${language.toLowerCase().replaceAll('_', '-')}`,
    for: listed[0].for,
    why: `scans in ${language}`,
  }))
  return [...wanted.filter((item) => !item.language), ...others]
}

/** Returns the packages that are not installed; all of them if there is no dpkg. */
export function missingPackages(wanted) {
  const format = `-f=\${db:Status-Abbrev}|\${Package}\n`
  const { stdout } = spawnSync('dpkg-query', ['-W', format, ...wanted.map((item) => item.package)], {
    encoding: 'utf8',
  })
  const installed = new Set((stdout ?? '').split('\n').flatMap((line) => /^.i.\|(.+)$/.exec(line)?.[1] ?? []))
  return wanted.filter((item) => !installed.has(item.package))
}

/** Fetches package lists. apt-get itself only warns if it cannot fetch some of them, and goes on with old ones. */
const update = [...settings, '-o', 'APT::Update::Error-Mode=any', 'update']

/**
 * Fetches package lists, shows the missing packages with reasons and sizes, and installs them. Only warns of failures.
 *
 * @param how `upgrade`: also upgrades all packages of the machine. `strict`: throws an error if the package lists
 *   cannot be fetched, if there is none of the security archive, or if the upgrade fails.
 */
export async function installDebian(missing, isRoot, { upgrade = false, strict = false } = {}) {
  const names = missing.map((item) => item.package)
  if (!hasAptGet()) {
    console.warn(
      `This is not Debian: Athanor uses the engines that it finds. The Debian packages are: ${names.join(' ')}`,
    )
    return
  }
  if (!isRoot) {
    if (names.length > 0)
      console.warn(`To install all engines, run as root: apt-get install --no-install-recommends ${names.join(' ')}`)
    return
  }
  const complain = (fault) => {
    if (strict) throw new Error(`--strict: ${fault}`)
    console.warn(fault)
  }
  if (!(await apt('package lists', update))) complain('The package lists could not be fetched.')
  if (!hasSecurityList()) complain('There is no package list of the security archive: see /etc/apt/sources.list.d')
  // Known faults of installed packages first: what is installed below depends on them.
  if (upgrade && !(await apt('upgrades', [...settings, 'upgrade', '--with-new-pkgs', '--assume-yes'], true)))
    complain('The installed packages could not be upgraded.')
  const known = knownPackages(names)
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0) console.warn(`This version of Debian has no packages named ${unknown.join(' ')}`)
  const items = missing.filter((item) => known.has(item.package))
  if (items.length === 0) return
  announce(items)
  const args = [...install, '--assume-yes', ...known]
  // The package lists may be outdated: update them and try once more.
  if (await apt('packages', args)) return
  await apt('package lists', update)
  if (!(await apt('packages', args, true)))
    console.warn('Some packages could not be installed; the formats that need them are not available.')
}

function hasAptGet() {
  return spawnSync('apt-get', ['--version']).status === 0
}

/** Whether apt has a list of a suite such as bookworm-security. */
function hasSecurityList() {
  const { stdout } = spawnSync('apt-config', ['shell', 'LISTS', 'Dir::State::lists/d'], { encoding: 'utf8', env })
  const folder = /^LISTS='(.*)'$/m.exec(stdout ?? '')?.[1] ?? '/var/lib/apt/lists'
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => /_(In)?Release$/.test(name)) : []
  return files.some((name) => /^(Suite|Codename): .*-security$/m.test(readFileSync(join(folder, name), 'latin1')))
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
  console.log(`${total}: ${download} to download, ${disk} on disk`)
  const width = Math.max(...items.map((item) => item.package.length))
  for (const item of items) console.log(`  ${item.package.padEnd(width)}  ${item.for}: ${item.why}`)
}

/** Runs apt-get and shows its progress. Resolves to whether it succeeded. If not, prints its last lines. */
async function apt(what, args, last = false) {
  // In a private folder: a predictable name could be a link that another user created.
  const folder = mkdtempSync(join(tmpdir(), 'athanor-apt-'))
  const log = join(folder, 'log')
  const fd = openSync(log, 'wx', 0o600)
  // apt writes machine-readable progress to descriptor 3: status:package:percent:text.
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

/** One line that is rewritten on a terminal; elsewhere, one line for every tenth. */
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
