import { statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import t from 'tap'
import { python, runScript, stage } from '../harness/sandboxes.ts'

t.test('files without a name count as well', async (t) => {
  if ((await statfs(tmpdir())).type === 0x01021994) {
    t.pass('temporary files are in memory here')
    return
  }
  const { sandboxes } = await stage(t)
  const nameless = (count: number, keep: string) => `
import array, os, socket, time
kept = []
pair = socket.socketpair()
for i in range(${count}):
    f = os.open('/scratch/x', os.O_RDWR | os.O_CREAT); os.unlink('/scratch/x')
    os.write(f, b'x' * 40 * 2**20); os.fsync(f)
    ${keep}
time.sleep(100)`
  const attacks = {
    'open files': nameless(2, 'kept.append(f)'),
    'in the queue of a socket': nameless(
      8,
      "pair[0].sendmsg([b'x'], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [f]))]); os.close(f)",
    ),
  }
  for (const [name, script] of Object.entries(attacks)) {
    await using box = await sandboxes.open('a', [])
    await t.rejects(runScript(box, python, script), { code: 'RESOURCE_LIMIT', message: /more disk space/ }, name)
  }
})
