/** What engines printed is stored whatever the character set of the database. */
import mysql from 'mysql2/promise'
import t from 'tap'
import { openDatabase } from '../../kernel/database/database.ts'
import { serverOf } from '../../kernel/database/server.ts'
import { createFindings, readTrail, recordWork } from '../../kernel/jobs/work.ts'
import { startMariaDb } from '../harness/servers/mariadb.ts'

t.test('titles in other scripts fit into a database of Latin 1', async (t) => {
  await using server = await startMariaDb()
  const url = await server.create('latin')
  const admin = await mysql.createConnection(serverOf(url))
  await admin.query('alter database latin character set latin1')
  await admin.end()
  const database = await openDatabase({ url, dataDir: t.testdir() })
  t.teardown(() => database.destroy())
  const said = ['title : 日本語の題名 🎬', 'größer als 5 €']
  const run = { engine: 'ffmpeg', args: ['-i', 'Ünïcode.mp4'], exit: 0, ms: 5, cpu: 0.1, memory: 5, said }
  const work = { runs: [run], findings: createFindings() }
  await recordWork(database, 'conv_1', 'completed', work)
  t.strictSame(await readTrail(database, 'conv_1'), [run])
})
