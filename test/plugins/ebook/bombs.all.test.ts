/** Books that would fill the memory or the disk. */
import { readFile } from 'node:fs/promises'
import t from 'tap'
import { made } from '../../fixtures/cache.ts'
import { epub } from '../../fixtures/ebook.ts'
import { program } from '../../fixtures/program.ts'
import { zip } from '../../fixtures/zip.ts'
import { studio } from '../../harness/studio.ts'

t.setTimeout(60 * 60_000)
const own = await studio()
t.teardown(() => own[Symbol.asyncDispose]())

/** Adds six members of 200 MB of zeros to a zip. */
const APPEND = `import sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'a', zipfile.ZIP_DEFLATED, compresslevel=1) as book:
  for index in range(6): book.writestr(f'OEBPS/zeros{index}', bytes(200_000_000))`

t.test('a bomb affects only its own job', async (t) => {
  const bomb = await made('bomb.epub', async (output) => {
    await zip(output, await epub())
    await program('python3', '-c', APPEND, output)
  })
  t.equal((await own.failure(await readFile(bomb), 'epub>epub')).code, 'RESOURCE_LIMIT')
})

t.test('entities are not expanded', async (t) => {
  const entities = [...'bcdefghi'].map((name, index) => `<!ENTITY ${name} "${`&${'abcdefgh'[index]};`.repeat(10)}">`)
  const laughs = `<?xml version="1.0"?><!DOCTYPE FictionBook [<!ENTITY a "${'lol'.repeat(20)}">${entities.join('')}]>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><body><section><p>&i;</p></section></body></FictionBook>`
  const outcome = await own.convert(Buffer.from(laughs), 'fb2>epub').then(
    ({ bytes }) => (bytes.length < 1_000_000 ? 'small' : 'large'),
    ({ code }) => code,
  )
  t.match(outcome, /^(small|CONVERSION_ERROR|RESOURCE_LIMIT)$/)
})
