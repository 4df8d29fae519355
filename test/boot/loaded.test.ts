import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const root = join(import.meta.dirname, '..', '..')

t.test('a start does not load the classes of fetch', (t) => {
  const program = `
    await import('./kernel/boot/create-kernel.ts')
    await import('./kernel/http/server.ts')
    const loaded = () => process.moduleLoadList.filter((name) => name.includes('undici'))
    const before = loaded()
    await import('node:http')
    console.log(JSON.stringify([before, loaded()]))`
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: root,
    encoding: 'utf8',
  })
  const [before, after] = JSON.parse(told)
  t.strictSame(before, [])
  t.not(after.length, 0, 'an import of node:http does, so this test can fail')
  t.end()
})
