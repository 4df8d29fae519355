/** Windows of rate limits in the memory of one node. */
import t from 'tap'
import { createMemoryStore } from '../../kernel/http/rates/store.ts'
import { countsRequests } from './rate-windows-suite.ts'

t.test('in memory', { timeout: 300_000 }, (t) => countsRequests(t, createMemoryStore()))
