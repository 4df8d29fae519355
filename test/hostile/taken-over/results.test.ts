/** Attempts of a taken-over converter to change its result after the service has checked it. */
import { appendFile, readFile, truncate } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { within } from '../../fixtures/within.ts'
import { storedKeys } from '../../harness/installation.ts'
import type { Service } from '../../harness/program.ts'
import { raid, type Target, underAttack } from './raid.ts'

const { service, dataDir } = await underAttack(t)

/** Rewrites and extends the engine's open files as long as it lives. */
const REWRITE = (wait: string) => `
kept = open(give('honest'), 'r+')
magic = kept.readline().strip()
def rewrite():
    while True:
        kept.seek(0); kept.write(magic + '\\nforged' + '\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 6\\r\\n\\r\\nforged'); kept.flush()
${wait}
`

for (const [to, wait] of [
  ['booty', 'background(lambda: (time.sleep(0.5), rewrite()))'],
  ['booty', 'background(rewrite)'],
  // The engine's end does not end its children; they end with the sandbox.
  ['loot', 'daemon(lambda: (time.sleep(0.001), rewrite()))'],
] as const) {
  t.test(`${to}: ${wait}`, async (t) => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const { record } = await raid(service, REWRITE(wait), to as Target)
      t.equal(record.status, 'completed')
      const path = join(dataDir, 'files', record.outputFileId)
      const stored = () => readFile(path, 'latin1')
      const first = await stored()
      t.equal(first.length, record.outputSize)
      await delay(1000)
      t.equal(await stored(), first)
      t.equal(await excess(service, record.outputUrl), 0)
    }
  })
}

t.test('a large result of a warm engine', async (t) => {
  const script = `
kept = open(give('x' * 100_000_000), 'r+')
def rewrite():
    time.sleep(0.2); kept.seek(8); kept.write('forged'); kept.flush()
background(rewrite)
`
  const { text, record } = await raid(service, script, 'booty')
  t.equal(record.outputSize, 100_000_008)
  t.notMatch(text?.slice(0, 100), /forged/)
})

t.test('the intermediate result of two engines in a row', async (t) => {
  const script = `
kept = open(give('time.sleep(1); give(open(input).read())'), 'r+')
def rewrite():
    time.sleep(0.5); kept.seek(8); kept.write('give("forged") #'); kept.flush()
background(rewrite)
`
  t.match((await raid(service, script, 'hoard')).text, /^#!booty\ntime.sleep/)
})

t.test('a stored file with another length than recorded', async (t) => {
  const { record } = await raid(service, 'give("twelve bytes")')
  const path = join(dataDir, 'files', record.outputFileId)
  await appendFile(path, '\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged')
  t.equal(await (await fetch(record.outputUrl)).text(), '#!loot\ntwelve bytes', 'what is too much is not sent')
  t.equal(await excess(service, record.outputUrl), 0)
  await truncate(path, 10)
  await t.rejects(
    fetch(record.outputUrl).then((answer) => answer.text()),
    'too little breaks the answer off',
  )
  t.match((await service.call('GET', '/readyz')).status, 200)
})

t.test('neither the source nor its stored file can be changed', async (t) => {
  const script = `
tried = []
for name, act in {
    'write': lambda: open(input, 'r+'), 'truncate': lambda: os.truncate(input, 0), 'mode': lambda: os.chmod(input, 0),
    'owner': lambda: os.chown(input, 1000, 1000), 'time': lambda: os.utime(input), 'remove': lambda: os.unlink(input),
    'rename': lambda: os.rename(input, input + 'x'), 'add': lambda: open(input + 'x', 'w'),
    'attribute': lambda: os.setxattr(input, 'user.x', b'x'), 'link': lambda: os.link(input, scratch + '/link'),
    'reopen': lambda: open(f'/proc/self/fd/{os.open(input, os.O_RDONLY)}', 'r+'),
}.items():
    try: act(); tried.append(name)
    except OSError: pass
give(' '.join(tried))
`
  for (const sandbox of ['loot', 'booty'] as const) t.equal((await raid(service, script, sandbox)).text, '')
  const contents = await Promise.all(
    (await storedKeys(dataDir)).map((key) => readFile(join(dataDir, 'files', key), 'utf8').catch(() => '')),
  )
  t.equal(contents.filter((content) => content === `#!raid\n${script}`).length, 2)
})

/** Returns the bytes that arrive within a second after the whole answer. */
async function excess(service: Service, url: string): Promise<number> {
  const { port } = new URL(service.base)
  const socket = connect(Number(port), '127.0.0.1')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString('latin1'))).on('error', () => {})
  const { pathname, search } = new URL(url)
  socket.write(`GET ${pathname}${search} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  const more = () => {
    const [head = ''] = text.split('\r\n\r\n')
    return text.length - (head.length + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1]))
  }
  await within(60_000, () => more() >= 0)
  await delay(1000)
  socket.destroy()
  return more()
}
