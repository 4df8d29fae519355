/**
 * Setup: npm packages, Debian packages, the system user that engines run as, and the page. Existing installations are
 * not touched. Plain JavaScript for Node 20 without dependencies, because it runs before anything is installed.
 *
 *   node config/setup.mjs [--no-setup] [--no-install] [--strict] [--upgrade] [--only image,audio]
 *     [--languages eng,deu] [--extras] [--tests]
 *
 * `--languages` are those of scanned pages, as Tesseract calls them, in place of the usual ones.
 * `--no-install` only builds: what needs a compiler, the page and the reference.
 * `--strict` fails if a Debian package is not installed at the end, or if the package lists cannot be fetched, among
 *   them that of the security archive. Otherwise, an image without engines or with known faults could be built.
 * `--upgrade` also upgrades the Debian packages of the machine.
 * `--extras` also installs large packages that serve few pairs.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordCommit } from './setup/commit.mjs'
import { compilePrograms } from './setup/compile.mjs'
import { installDebian, missingPackages, wantedPackages } from './setup/debian.mjs'
import { buildDocs } from './setup/docs.mjs'
import { buildFonts } from './setup/fonts.mjs'
import { installNpm, npmIsComplete } from './setup/npm.mjs'
import { buildPage } from './setup/page.mjs'
import { ensureUser, letEnginesBeRead } from './setup/user.mjs'

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const only = listed('--only')
const languages = listed('--languages')
const tests = args.includes('--tests')
const extras = args.includes('--extras')
const isRoot = process.getuid?.() === 0

const packages = JSON.parse(readFileSync(join(import.meta.dirname, 'packages.json'), 'utf8'))
const wanted = wantedPackages(packages, { only, extras, tests, languages })

try {
  if (args.includes('--no-setup')) {
    if (!existsSync(join(root, 'node_modules')))
      throw new Error('--no-setup: node_modules is missing: run npm ci first')
  } else {
    if (!args.includes('--no-install')) await install()
    recordCommit(root)
    compilePrograms(root)
    await buildFonts(root)
    await buildPage(root)
    await buildDocs(root)
  }
} catch (error) {
  console.error(`setup: ${error.message}`)
  process.exitCode = 1
}

/** Installs packages, and creates the user. */
async function install() {
  // Before the packages, which create users too: so every image gives it the same number, to which volumes belong.
  if (isRoot) ensureUser('athanor')
  if (!npmIsComplete(root, tests)) await installNpm(root, tests)
  const missing = missingPackages(wanted)
  const upgrade = args.includes('--upgrade')
  const strict = args.includes('--strict')
  if (missing.length > 0 || upgrade) await installDebian(missing, isRoot, { upgrade, strict })
  const left = strict ? missingPackages(missing).map((item) => item.package) : []
  if (left.length > 0) throw new Error(`--strict: these packages are not installed: ${left.join(' ')}`)
  if (isRoot) letEnginesBeRead(root)
}

/** The values of an argument such as `--only image,audio` or `--only=image,audio`. Undefined if it is not given. */
function listed(name) {
  const at = args.findIndex((arg) => arg === name || arg.startsWith(`${name}=`))
  return at < 0 ? undefined : (args[at].slice(name.length + 1) || args[at + 1] || '').split(',')
}
