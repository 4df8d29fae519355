/**
 * `npm run release`: checks that the changelog has the version of package.json with a date, and that nothing is
 * uncommitted. Then makes `athanor-VERSION.tar.gz` of the commit, with its id, and a file with the checksum.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = process.cwd()
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

try {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const heading = new RegExp(`^## ${RegExp.escape?.(version) ?? version}, (.*)$`, 'm')
  const date = heading.exec(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'))?.[1]
  if (!date || Number.isNaN(Date.parse(date)))
    throw new Error(`CHANGELOG.md has no heading "## ${version}, YYYY-MM-DD"; users read it before an upgrade`)
  if (git('status', '--porcelain', '--untracked-files=no')) throw new Error('there are changes that are not committed')
  const name = `athanor-${version}`
  const commit = git('rev-parse', 'HEAD')
  writeFileSync(join(root, 'commit.txt'), `${commit}\n`)
  const archive = join(root, `${name}.tar.gz`)
  rmSync(archive, { force: true })
  git('archive', `--prefix=${name}/`, '--add-file=commit.txt', `--output=${archive}`, 'HEAD')
  const sum = createHash('sha256').update(readFileSync(archive)).digest('hex')
  writeFileSync(`${archive}.sha256`, `${sum}  ${name}.tar.gz\n`)
  console.log(`Made ${name}.tar.gz of ${commit.slice(0, 12)}, with its checksum in ${name}.tar.gz.sha256`)
} catch (error) {
  console.error(`release: ${error.message}`)
  process.exitCode = 1
}
