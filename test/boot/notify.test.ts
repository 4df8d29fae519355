/** What systemd learns of a service whose unit has Type=notify. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import t from 'tap'
import { folderOf } from '../harness/folder.ts'
import { startStub } from './program.ts'

/** systemd's side: Node has no datagram sockets of the Unix domain. */
const receiver = `import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('bound', flush=True)
while True: print(s.recv(4096).decode().split('\\n')[0], flush=True)`

t.test('it is told when the service is ready', async (t) => {
  const folder = await folderOf(t)
  const socket = join(folder, 'notify')
  const supervisor = spawn('/usr/bin/python3', ['-c', receiver, socket], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.teardown(() => supervisor.kill('SIGKILL'))
  const lines = createInterface({ input: supervisor.stdout })
  t.strictSame(await once(lines, 'line'), ['bound'])
  const told = once(lines, 'line')
  const service = startStub(t, join(folder, 'data'), { env: { NOTIFY_SOCKET: socket } })
  t.strictSame(await told, ['READY=1'])
  t.match(service.stdout(), /^Athanor is ready on /m)
  service.kill('SIGTERM')
  t.match(await service.ended(), { code: 0 })
})
