/** A machine brought up by the lines of docs/install.md alone: packages, systemd, the unit, Caddy, a conversion. */
import { execFile } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { blocksOf } from '../docs/blocks.ts'
import { folderOf } from '../harness/folder.ts'
import { unpacked } from '../harness/unpacked.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)
const isRoot = process.getuid!() === 0

/** Lets `git clone` take this checkout, in the container. */
const CLONE = `git() {
  command git -c safe.directory='*' -c url./fresh/origin.git.insteadOf=https://git.example.org/athanor.git "$@"
}`

/** The name leads to this machine, and the certificate comes from an authority of Caddy's own. */
const NAME = `echo "127.0.0.1 $host" >> /etc/hosts
export CURL_CA_BUNDLE=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt`
const CERTIFICATE = `sed -i '0,/{/s//{\\n  local_certs/' /etc/caddy/Caddyfile`

/** What an operator does next. */
const USE = `cd /tmp
echo '# Hi' > a.md
curl -sS --fail-with-body -F file=@a.md -F toFormat=pdf -o a.pdf "https://$host/api/convert"
pdftotext a.pdf - | grep Hi
curl -sS -H 'Accept: text/html' "https://$host/" | grep '<script'
ps -o user= -p "$(systemctl show --property MainPID --value athanor)"
systemctl reload athanor
echo 'plans: { faulty: 1 }' > /etc/athanor.yaml
if systemctl reload athanor; then exit 1; fi
echo 'plans: {}' > /etc/athanor.yaml
systemctl restart athanor
curl -sSf "https://$host/readyz"
echo
echo done`

t.test('production, to copy and paste', { skip: !isRoot, timeout: 600_000 }, async (t) => {
  const folder = await folderOf(t)
  const shared = join(folder, 'shared')
  await mkdir(shared)
  const origin = process.env.CHECKOUT ?? root
  const clone = ['clone', '--quiet', '--bare', '--depth=1', `file://${origin}`, join(shared, 'origin.git')]
  await run('git', ['-c', 'safe.directory=*', ...clone])
  const block = blocksOf(join(root, 'docs/install.md')).find(({ words }) => words.includes('fresh'))!
  const [install, rest] = block.text.split(/(?<=^npm run setup\n)/m)
  const host = /^host=.*\n/.exec(block.text)![0]
  const changed = rest!.replace('systemctl restart caddy', `${CERTIFICATE}\n$&`)
  await writeFile(join(shared, 'install.sh'), `${CLONE}\n${install}`)
  await writeFile(join(shared, 'rest.sh'), [host, NAME, 'cd /srv/athanor', changed, USE].join('\n'))

  const nspawn = await unpacked('systemd-container', 'usr/bin/systemd-nspawn', folder)
  const machine = join(import.meta.dirname, 'fresh-machine.sh')
  const apart = ['--mount', '--propagation', 'private', '--pid', '--mount-proc', '--fork', '--kill-child']
  const read = (name: string) => readFile(join(shared, name), 'utf8').catch(() => '')
  const ended = run('unshare', [...apart, 'sh', machine, nspawn, folder], { timeout: 500_000 })
  await t.resolves(ended).catch(() => undefined)
  const log = await read('rest.log')
  t.match(log, /^Hi$/m, 'it has converted')
  t.match(log, /^<script/m, 'its page is built')
  t.match(log, /^convert$/m, 'the service runs as its user')
  t.match(log, /\ndone\n$/, 'it is reloaded, refuses to be reloaded with a faulty file, and is restarted')
  const journal = await read('journal')
  t.match(journal, '"msg":"catalogue"')
  t.notMatch(journal, 'engines run as the user of the service', 'and engines as the other')
  if (!t.passing()) t.comment((await read('install.log')).slice(-2000), log.slice(-3000), journal.slice(-5000))
})
