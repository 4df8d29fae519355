/** How the service tells that it is ready, and stops in order. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { rowsIn } from '../harness/installation.ts'
import { endAt, startAt, startStub } from './program.ts'
import { beginUpload } from './slow-upload.ts'

/** systemd's side of a unit with Type=notify: Node has no datagram sockets of the Unix domain. */
const receiver = `import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True: print(s.recv(4096).decode().split('\\n')[0], flush=True)`

t.test('it says when it is ready; SIGTERM lets a running conversion finish, and ends with 0', async (t) => {
  const folder = await folderOf(t)
  const dataDir = join(folder, 'data')
  const socket = join(folder, 'notify')
  const supervisor = spawn('/usr/bin/python3', ['-c', receiver, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => supervisor.kill('SIGKILL'))
  const lines = createInterface({ input: supervisor.stdout })
  t.strictSame(await once(lines, 'line'), ['bound'])
  const told = once(lines, 'line')
  const service = startStub(t, dataDir, { env: { NOTIFY_SOCKET: socket } })
  t.strictSame(await told, ['READY=1'])
  const id = await startAt(await service.ready(), { sleep: 1500 })
  service.kill('SIGTERM')
  t.match(await service.ended(), { code: 0, signal: null })
  t.match(rowsIn(dataDir), [{ id, status: 'completed' }])
})

t.test('an upload that does not end is cut off after the grace, and leaves nothing', async (t) => {
  const dataDir = join(await folderOf(t), 'data')
  const service = startStub(t, dataDir, { yaml: 'shutdown: { grace: 1s }' })
  const { answer } = await beginUpload(await service.ready())
  service.kill('SIGTERM')
  await t.rejects(answer, { code: 'ECONNRESET' })
  const { code, stdout } = await service.ended()
  t.equal(code, 0)
  t.notMatch(stdout, '"level":50', 'without an error in the log')
  t.strictSame(readdirSync(join(dataDir, 'incoming')), [])
})

t.test('it first says that it is not ready, and serves everyone for a while', async (t) => {
  const yaml = 'shutdown: { delay: 1d, grace: 1s }'
  const service = startStub(t, join(await folderOf(t), 'data'), { yaml })
  const base = await service.ready()
  service.kill('SIGTERM')
  while ((await fetch(`${base}/readyz`)).status === 200);
  // The first refusal may answer a request that came before the signal.
  const answer = await fetch(`${base}/readyz`)
  t.equal(answer.status, 503)
  t.match(await answer.json(), { error: { code: 'NOT_READY', message: /service \(stopping\)/ } })
  t.equal(answer.headers.get('connection'), 'close')
  t.equal((await endAt(base, await startAt(base))).status, 'completed')
  // Whoever waits at a terminal need not wait for this.
  const repeated = setInterval(() => service.kill('SIGINT'), 100)
  t.equal((await service.ended()).code, 130)
  clearInterval(repeated)
})
