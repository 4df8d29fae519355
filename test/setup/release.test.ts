/** A release needs a changelog that speaks of it, and is a tarball of one commit with a checksum. */
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { recordCommit } from '../../config/setup/commit.mjs'

const run = promisify(execFile)
const script = join(import.meta.dirname, '../../config/setup/release.mjs')

t.test('a tarball is made of a commit that the changelog describes', async (t) => {
  const cwd = t.testdir({ 'package.json': '{"version":"1.2.3"}', 'CHANGELOG.md': '## 1.2.3, not released yet\n' })
  const own = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
  const git = async (...args: string[]) => (await run('git', [...own, ...args], { cwd })).stdout.trim()
  const release = () => run(process.execPath, [script], { cwd })
  await git('init', '--quiet')
  await git('add', '.')
  await git('commit', '--quiet', '--message', 'one')
  const undated = { code: 1, stderr: /CHANGELOG\.md has no heading "## 1\.2\.3, YYYY-MM-DD"/ }
  await t.rejects(release(), undated)
  writeFileSync(join(cwd, 'CHANGELOG.md'), '## 1.2.3, 2026-12-01\n')
  await t.rejects(release(), { code: 1, stderr: /not committed/ })
  await git('commit', '--quiet', '--all', '--message', 'two')
  await release()
  const commit = await git('rev-parse', 'HEAD')
  await run('sha256sum', ['--check', 'athanor-1.2.3.tar.gz.sha256'], { cwd })
  const { stdout } = await run('tar', ['-xzOf', 'athanor-1.2.3.tar.gz', 'athanor-1.2.3/commit.txt'], { cwd })
  t.equal(stdout.trim(), commit, 'the tarball names its commit')
  writeFileSync(join(cwd, 'commit.txt'), '')
  recordCommit(cwd)
  t.equal(readFileSync(join(cwd, 'commit.txt'), 'utf8').trim(), commit, 'as set-up does in a checkout')
  t.ok(existsSync(join(cwd, 'athanor-1.2.3.tar.gz')))
})
