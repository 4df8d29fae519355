/** After the start while an image is built, later starts compile nothing. */
import { readFileSync } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import t from 'tap'
import { root, run } from '../boot/program.ts'
import { folderOf } from '../harness/folder.ts'
import { freePort } from '../harness/free-port.ts'

const [, script] = /sh (config\/setup\/\S+\.sh) &&/.exec(readFileSync(join(root, 'Containerfile'), 'utf8'))!

t.test('every module is compiled in the image', async (t) => {
  const folder = await folderOf(t)
  const cache = join(folder, 'cache')
  const DATA_DIR = join(folder, 'data')
  await mkdir(cache)
  // Archives have the fewest engines.
  const env = { NODE_COMPILE_CACHE: cache, ATHANOR_ONLY: 'archive', PORT: `${await freePort()}`, TMPDIR: folder }
  t.match(await run(t, ['sh', script!], env).ended(), { code: 0 })
  t.strictSame(await readdir(folder), ['cache'], 'it leaves nothing else')

  const told = { NODE_DEBUG_NATIVE: 'COMPILE_CACHE', HOST: '127.0.0.1' }
  const service = run(t, ['sh', 'config/run.sh', 'kernel/main.ts'], { ...env, ...told, DATA_DIR })
  await service.ready()
  service.kill('SIGTERM')
  const said = Object.values(await service.ended()).join('\n')
  t.ok(said.split('retrieving transpile cache').length > 300, 'modules come from the cache')
  t.strictSame(said.match(/no transpile cache .*/g) ?? [], [])
})

t.test('a start that fails fails the build, and says why', async (t) => {
  const { code, stderr } = await run(t, ['sh', script!], { ATHANOR_ONLY: 'nothing' }).ended()
  t.equal(code, 1)
  t.match(stderr, /nothing/)
})
