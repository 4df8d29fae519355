/** `node client/mcp/main.ts [FOLDER]...`: the tools for an agent, on standard input and output. */
import { readFileSync } from 'node:fs'
import { Athanor } from '../athanor.ts'
import { serveMcp } from './serve.ts'

const { ATHANOR_URL: url = 'http://127.0.0.1:3000', ATHANOR_API_KEY: apiKey } = process.env
const folders = process.argv.length > 2 ? process.argv.slice(2) : [process.cwd()]
const stop = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort())
const athanor = new Athanor({ url, ...(apiKey && { apiKey }), patience: 20_000 })
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
await serveMcp({ athanor, folders, version, signal: stop.signal })
