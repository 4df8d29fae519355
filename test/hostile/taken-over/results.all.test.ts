/** Attempts of a taken-over converter to change its result after the service has checked it. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import t from 'tap'
import { attack, excess, startAttacked } from './attack.ts'

const { service, dataDir } = await startAttacked(t)

/** Rewrites and extends the engine's open files as long as it lives. */
const REWRITE = (wait: string) => `
kept = open(give('honest'), 'r+')
magic = kept.readline().strip()
# Bound now: the process may serve further jobs, with other globals.
def rewrite(kept=kept, magic=magic):
    while True:
        kept.seek(0); kept.write(magic + '\\nforged' + '\\r\\n\\r\\nHTTP/1.1 200 OK\\r\\nContent-Length: 6\\r\\n\\r\\nforged'); kept.flush()
${wait}
`

for (const [to, wait] of [
  ['warm', 'background(lambda: (time.sleep(0.5), rewrite()))'],
  ['warm', 'background(rewrite)'],
  // The engine's end does not end its children; they end with the sandbox.
  ['once', 'daemon(lambda: (time.sleep(0.001), rewrite()))'],
] as const) {
  t.test(`${to}: ${wait}`, async (t) => {
    for (let attempt = 0; attempt < 3; attempt++) {
      const { record } = await attack(service, REWRITE(wait), to)
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
    time.sleep(0.2); kept.seek(7); kept.write('forged'); kept.flush()
background(rewrite)
`
  const { text, record } = await attack(service, script, 'warm')
  t.equal(record.outputSize, 100_000_007)
  t.notMatch(text?.slice(0, 100), /forged/)
})

t.test('the intermediate result of two engines in a row', async (t) => {
  const script = `
kept = open(give('time.sleep(1); give(open(input).read())'), 'r+')
def rewrite():
    time.sleep(0.5); kept.seek(7); kept.write('give("forged") #'); kept.flush()
background(rewrite)
`
  t.match((await attack(service, script, 'twice')).text, /^#!warm\ntime.sleep/)
})
