// Converts a stub to a bust and back, slowly or wrongly on request.
import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const [input, output, scratch, to, heading, json = '{}'] = process.argv.slice(2)
const wish = JSON.parse(json)

for (let child = 0; child < (wish.fork ?? 0); child++)
  spawn('/bin/sleep', ['3600'], { stdio: 'ignore', detached: true }).on('error', () => {})

const megabyte = Buffer.alloc(2 ** 20)
for (let index = 0; index < (wish.write ?? 0); index++) appendFileSync(`${scratch}/zeros`, megabyte)

const held = []
for (let index = 0; index < (wish.memory ?? 0); index++) held.push(Buffer.alloc(2 ** 20, 1))

// A timer keeps the process running; a pending promise would not.
if (wish.hang) for (;;) await sleep(3_600_000)

for (let tenth = 1; wish.sleep && tenth <= 10; tenth++) {
  await sleep(wish.sleep / 10)
  console.log(`${tenth * 10}%`)
}

if (wish.fail === 'refuse') {
  console.error('refused: The stub was asked to fail')
  process.exit(1)
}
if (wish.fail === 'encrypted') {
  console.error('locked')
  process.exit(1)
}
if (wish.fail === 'crash') process.abort()
if (wish.fail === 'silent') process.exit(0)

const text = readFileSync(input, 'latin1')
if (!/^(STUB|BUST)\n/.test(text)) {
  console.error('refused: The file is not a stub')
  process.exit(1)
}
mkdirSync(scratch, { recursive: true })
const body = text.slice(5)
writeFileSync(output, `${to.toUpperCase()}\n${heading === '-' ? '' : `${heading}\n`}${body}`, 'latin1')
if (held.length > 0) console.log(`${held.length} MB held`)
