import type { Service } from '../../../client/mcp/service.ts'
import type { Conversion as Shown } from '../../../client/records.ts'
import type { Kernel } from '../../boot/kernel.ts'
import { conversionRecord } from '../../jobs/records.ts'
import { startOrOptimise } from '../../jobs/start.ts'
import type { Owner } from '../../people/owner.ts'
import { untilGone } from '../connection/client-gone.ts'
import type { Context } from '../context.ts'
import type { Edge } from '../endpoint.ts'
import { UNKEYED } from '../request/idempotency-key.ts'
import { receiveImport } from '../request/import.ts'
import { linkConversion } from '../resources/conversion-record.ts'
import { fileRecord } from '../resources/files.ts'
import { makeHandle } from './upload-handle.ts'

/** What the tools can do for the client of a request: what it can do by the REST API, and counted in the same way. */
export function createAgentService(kernel: Kernel, { charge }: Edge, ctx: Context, owner: Owner): Service {
  const { catalogue, conversions, imports } = kernel
  const gone = untilGone(ctx)
  return {
    async formats() {
      return catalogue.formats
    },
    async tool(from, to) {
      return catalogue.tools.find((tool) => tool.fromFormat === from && tool.toFormat === to) as never
    },
    async importUrl(source) {
      await charge(ctx, 'uploads')
      const opened = await receiveImport(kernel, ctx, owner, UNKEYED, (allowance) => imports.openUrl(source, allowance))
      return { file: fileRecord(opened.file), suggestions: opened.suggestions }
    },
    async start(request) {
      await charge(ctx, 'conversions')
      return (await startOrOptimise(conversions.start, owner, request)).conversionId
    },
    async conversion(id, wait, signal) {
      // A client that goes away may come back and ask for the status: its conversion goes on.
      const found = wait
        ? await conversions.wait(owner, id, wait, AbortSignal.any([signal, gone]))
        : await conversions.get(owner, id)
      return conversionRecord(await linkConversion(kernel, ctx, found)) as Shown
    },
    remove: (id) => conversions.remove(owner, id),
    async handle(fileName) {
      await charge(ctx, 'requests')
      return makeHandle(kernel, ctx, owner, fileName)
    },
  }
}
