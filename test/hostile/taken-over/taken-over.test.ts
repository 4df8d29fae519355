/** The engines for the attacks work as the attacks need: they run the upload in the real sandbox. */
import t from 'tap'
import { raid, underAttack } from './raid.ts'

t.test('the upload runs in the sandbox of each engine', async (t) => {
  const { service } = await underAttack(t)
  const script = `give(f'{os.getuid()} {os.path.exists("/root")} {input} {syscall("socket", 1, 1, 0)}')`
  for (const to of ['loot', 'booty'] as const) {
    t.equal((await raid(service, script, to)).text, '1000 False /in/file.raid EAFNOSUPPORT', to)
  }
  t.match((await raid(service, script, 'cargo')).text, /^1000 False \/in\/file.raid \d+$/, 'with Unix sockets')
  const refused = await raid(service, 'raise ValueError("no")')
  t.match(refused.record, { status: 'failed', error: { code: 'CONVERSION_ERROR', message: "ValueError('no')" } })
})

t.test("a warm engine may keep data of the owner's earlier jobs", async (t) => {
  const { service } = await underAttack(t)
  const count = 'count = globals().get("count", 0) + 1; give(f"{count}")'
  t.equal((await raid(service, count, 'booty')).text, '1')
  t.equal((await raid(service, count, 'booty')).text, '2')
  t.equal((await raid(service, "give('give(input)')", 'hoard')).text, '/in/file.booty')
})
