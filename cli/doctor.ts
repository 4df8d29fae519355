import { type AdminCommand, readFlags } from '../kernel/admin/command.ts'
import { printJson, printLine } from '../kernel/terminal.ts'
import { EXIT } from './exit.ts'
import { runAdmin } from './local.ts'
import { lookUp } from './look-up.ts'
import { serviceUrl, withService } from './service.ts'

/** `athanor doctor`: why it does not work. */
export const doctor: AdminCommand = {
  summary: 'Checks the service in ATHANOR_URL; without one, what this machine can convert.',
  usage: [
    'Usage: athanor doctor [--json]',
    '',
    'With ATHANOR_URL: whether the service answers, is ready, and accepts ATHANOR_API_KEY. Without: the same as npm run',
    'admin -- doctor, with its options.',
  ].join('\n'),
  run(args) {
    if (serviceUrl() === undefined) return runAdmin(['doctor', ...args])
    const { json } = readFlags({ args, options: { json: { type: 'boolean', default: false } } }).values
    return withService(async ({ athanor, url, signal }) => {
      const { status } = await athanor.client.request<{ status: string }>('GET', 'readyz', { signal })
      type Document = { info: { version: string } }
      const { info } = await athanor.client.request<Document>('GET', 'api/openapi.json', { signal })
      // A wrong key is refused here.
      await athanor.client.conversions({ limit: 1, signal })
      const formats = await lookUp(athanor, url, signal).formats()
      const findings = {
        url,
        status: String(status),
        version: String(info.version),
        as: process.env.ATHANOR_API_KEY ? 'the account of ATHANOR_API_KEY' : 'a guest',
        formats: formats.length,
        pairs: formats.reduce((sum, { targets }) => sum + targets.length, 0),
      }
      if (json) printJson(JSON.stringify(findings, null, 2))
      else for (const [name, value] of Object.entries(findings)) printLine(`${name.padEnd(8)}  ${value}`)
      return EXIT.done
    })
  },
}
