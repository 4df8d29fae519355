import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { type Athanor, AthanorError } from '../athanor.ts'
import type { Tool } from '../records.ts'
import { startOrOptimise } from '../start-or-optimise.ts'
import { createLocalFiles } from './local-files.ts'
import { createMcpServer, type Refusal } from './server.ts'
import type { Service } from './service.ts'

/**
 * Serves the tools to an agent on standard input and output, until the agent closes them or the signal aborts. Then
 * pending conversions are cancelled.
 *
 * @param options.folders The folders whose files the agent may convert, and in which it may write.
 * @param options.version Of the program.
 */
export async function serveMcp({
  athanor,
  folders,
  version,
  signal,
  input = process.stdin,
  output = process.stdout,
}: {
  athanor: Athanor
  folders: readonly string[]
  version: string
  signal: AbortSignal
  input?: Readable
  output?: Writable
}): Promise<void> {
  const server = createMcpServer(serviceOf(athanor, folders), { name: 'athanor', title: 'Athanor', version }, refused)
  const { promise: closed, resolve } = Promise.withResolvers<void>()
  server.onclose = resolve
  const close = () => void server.close()
  signal.addEventListener('abort', close, { once: true })
  input.once('end', close)
  await server.connect(new StdioServerTransport(input, output))
  if (signal.aborted) close()
  await closed
  signal.removeEventListener('abort', close)
}

/** The operations of a service, called by the client library. */
function serviceOf(athanor: Athanor, folders: readonly string[]): Service {
  const { client } = athanor
  const { encodeURIComponent: encode } = globalThis
  return {
    formats: () => client.formats(),
    tool: async (from, to) =>
      (await client.request<{ tools: Tool[] }>('GET', `api/tools?from=${encode(from)}&to=${encode(to)}`)).tools[0],
    importUrl: (body) => client.request('POST', 'api/import/url', { body }),
    start: (request) =>
      startOrOptimise((intent) => client.start({ ...request, ...intent }, { key: crypto.randomUUID() })),
    conversion: (id, wait, signal) => client.conversion(id, { wait, signal }),
    remove: (id) => client.remove(id),
    local: createLocalFiles(athanor, folders),
  }
}

/** Errors that are not of the service are of the files of this computer. */
function refused(error: unknown): Refusal {
  if (error instanceof AthanorError) return error
  const { code = 'FAILED', message } = error as NodeJS.ErrnoException
  return { code, message }
}
