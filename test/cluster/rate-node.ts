/** Counts a request for each message, in a process whose clock may be another one. */

import { openRedis } from '../../kernel/cluster/redis.ts'
import { createRedisStore } from '../../kernel/http/rates/store.ts'
import { createWindow } from '../../kernel/http/rates/window.ts'
import { createLog } from '../../kernel/log.ts'

const [, , url, limit] = process.argv
const place = await openRedis(url!, 'a secret', createLog('silent'))
const window = createWindow(createRedisStore(place), 'test', Number(limit), 60_000)
process.on('message', async () => process.send!({ ...(await window('client')), at: Date.now() }))
process.send!('ready')
