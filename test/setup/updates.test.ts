/** The comparison with Debian's security archive: the real apt, with package lists and a dpkg status of the test. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { findOwnUpdates } from '../../config/setup/own-updates.ts'
import { findUpdates, type Updates } from '../../config/setup/updates.ts'
import { renderUpdates } from '../../kernel/admin/render.ts'

const day = 86_400_000
const published = Date.parse('2026-03-02T10:00:00Z')

const stanza = (name: string, version: string, depends = '') => `Package: ${name}
Status: install ok installed
Architecture: all
Maintainer: nobody <nobody@example.org>
Version: ${version}${depends && `\nDepends: ${depends}`}
Filename: pool/${name}_${version}.deb
Size: 1
Description: a package

`
const listed = (...packages: string[]) => packages.join('').replaceAll(/^Status:.*\n/gm, '')

const release = (suite: string) => `Suite: ${suite}
Codename: test
Date: ${new Date(published).toUTCString()}
Valid-Until: ${new Date(published + 7 * day).toUTCString()}
Components: main
`

/** Points apt at a machine with an engine, its libraries, and an unrelated package. */
function machine(t: Test, { security = true }) {
  const root = t.testdir({
    'apt.conf': '',
    status: [
      stanza('convert', '1.0', 'libpicture (>= 1), libfine'),
      stanza('libpicture', '1.2-1+deb1', 'libdeep'),
      stanza('libdeep', '2:3.0~rc1-1'),
      stanza('libfine', '9'),
      stanza('game', '1'),
    ].join(''),
    lists: { partial: {} },
    etc: { 'sources.list': '' },
    cache: { archives: { partial: {} } },
  })
  const base = (name: string) => join(root, 'lists', `archive.example.org_${name}`)
  const source = (name: string, suite: string) => `deb [trusted=yes] http://archive.example.org/${name} ${suite} main\n`
  writeFileSync(
    join(root, 'etc/sources.list'),
    source('debian', 'test') + (security ? source('security', 'test-security') : ''),
  )
  writeFileSync(base('debian_dists_test_Release'), release('stable'))
  writeFileSync(
    base('debian_dists_test_main_binary-all_Packages'),
    listed(stanza('libpicture', '1.2-1+deb1'), stanza('libdeep', '2:3.0-1'), stanza('libfine', '9')),
  )
  if (security) {
    writeFileSync(base('security_dists_test-security_Release'), release('stable-security'))
    writeFileSync(
      base('security_dists_test-security_main_binary-all_Packages'),
      // The archive has an older libfine than the machine. `game` belongs to no engine.
      listed(stanza('libpicture', '1.2-1+deb2'), stanza('libfine', '8'), stanza('game', '2')),
    )
  }
  const config = `Dir::State "${root}"; Dir::State::status "${root}/status"; Dir::State::lists "${root}/lists";
Dir::Etc::sourcelist "${root}/etc/sources.list"; Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferencesparts "/dev/null"; Dir::Cache "${root}/cache";
APT::Architecture "amd64"; APT::Architectures { "amd64"; };`
  writeFileSync(join(root, 'apt.conf'), config)
  process.env.APT_CONFIG = join(root, 'apt.conf')
  t.teardown(() => delete process.env.APT_CONFIG)
  return root
}

const fetchedAt = ({ lists }: Updates) => (lists.state === 'absent' ? '' : lists.fetched)

t.test(
  'a library of an engine that the security archive has newer is to upgrade; what no engine loads is not',
  async (t) => {
    machine(t, {})
    const updates = await findUpdates(['convert', 'not-installed', 'unheard-of'], published + day)
    t.equal(updates.compared, 4, 'the engine and its closure')
    t.strictSame(updates.security, [{ package: 'libpicture', installed: '1.2-1+deb1', offered: '1.2-1+deb2' }])
    // Debian orders versions: 3.0~rc1 comes before 3.0.
    t.strictSame(updates.other, [{ package: 'libdeep', installed: '2:3.0~rc1-1', offered: '2:3.0-1' }])
    t.match(updates.lists, {
      state: 'current',
      published: '2026-03-02T10:00:00.000Z',
      validUntil: '2026-03-09T10:00:00.000Z',
    })
    t.ok(Math.abs(Date.parse(fetchedAt(updates)) - Date.now()) < 60_000, 'fetched when it was written here')
    const text = renderUpdates(updates).join('\n')
    t.match(
      text,
      /^Security +1 of 4 packages that engines load have a security update \(list of 2026-03-02, fetched 0 h ago\)$/m,
    )
    t.match(text, /^ +libpicture 1\.2-1\+deb1 → 1\.2-1\+deb2$/m)
    t.match(text, /apt-get update && apt-get upgrade/)
  },
)

t.test('nothing to upgrade, a list past its Valid-Until, and none at all', async (t) => {
  const root = machine(t, {})
  writeFileSync(join(root, 'status'), stanza('convert', '1.0', 'libpicture') + stanza('libpicture', '1.2-1+deb2'))
  const updates = await findUpdates(['convert'], published + day)
  t.strictSame([updates.compared, updates.security, updates.other], [2, [], []])
  t.strictSame(renderUpdates(updates, Date.parse(fetchedAt(updates)) + 50 * 3_600_000), [
    'Security       0 of 2 packages that engines load have a security update (list of 2026-03-02, fetched 2 days ago)',
  ])
  const stale = await findUpdates(['convert'], published + 7 * day + 1)
  t.equal(stale.lists.state, 'stale')
  t.match(renderUpdates(stale)[0], /^Security +UNKNOWN: the list of 2026-03-02, .*expired on 2026-03-09/)
  t.match(renderUpdates(stale).join('\n'), /apt-get update/)
  machine(t, { security: false })
  const without = await findUpdates(['convert'], published)
  t.strictSame([without.lists, without.security], [{ state: 'absent' }, []], 'no security archive among the sources')
  t.match(renderUpdates(without), [/^Security +UNKNOWN: .*no package list.*apt-get update/])
})

t.test('an image without lists knows what was known when it was built', async (t) => {
  const root = machine(t, {})
  const built = await findUpdates(['convert'], published + day)
  const record = join(root, 'image.json')
  writeFileSync(record, JSON.stringify(built))
  rmSync(join(root, 'lists'), { recursive: true })
  mkdirSync(join(root, 'lists'))
  const later = await findOwnUpdates(published + 2 * day, record)
  t.match(later, { lists: { state: 'current' }, security: [{ package: 'libpicture' }] })
  t.match(await findOwnUpdates(published + 8 * day, record), { lists: { state: 'stale' } }, 'for a week')
  t.match(await findOwnUpdates(published, join(root, 'none.json')), { lists: { state: 'absent' } })
})

t.test('if apt is missing or knows no engine, the result is unknown', async (t) => {
  machine(t, {})
  const strange = await findUpdates(['unheard-of'], published)
  t.match(renderUpdates(strange), [/^Security +UNKNOWN: apt knows none/])
  const { PATH } = process.env
  process.env.PATH = t.testdir({})
  t.teardown(() => (process.env.PATH = PATH))
  t.match(await findUpdates(['convert'], published), { lists: { state: 'absent' }, compared: 0, security: [] })
})
