/** The operator's commands: `npm run admin -- <command>`. `--help` describes each one. */
import { dispatch, isForOperators, type Program } from './admin/dispatch.ts'
import { printError } from './terminal.ts'

const program: Program = {
  name: 'npm run admin --',
  usage: 'npm run admin -- <command> [options]',
  commands: {
    user: async () => (await import('./admin/user.ts')).user,
    tool: async () => (await import('./admin/tool.ts')).tool,
    conversion: async () => (await import('./admin/conversion.ts')).conversion,
    audit: async () => (await import('./admin/audit.ts')).audit,
    config: async () => (await import('./admin/config.ts')).config,
    reload: async () => (await import('./admin/reload.ts')).reload,
    maintenance: async () => (await import('./admin/maintenance.ts')).maintenance,
    migrate: async () => (await import('./admin/migrate.ts')).migrate,
    files: async () => (await import('./admin/files.ts')).strayFiles,
    sbom: async () => (await import('./admin/sbom.ts')).sbom,
    doctor: async () => (await import('./admin/doctor.ts')).doctor,
  },
}

try {
  process.exitCode = await dispatch(program, process.argv.slice(2))
} catch (error) {
  printError(isForOperators(error) ? error.message : String((error as Error).stack))
  // From sysexits.h: the configuration or the machine does not allow it. Others can be mended by typing.
  process.exitCode = (error as Error).name === 'StartError' ? 78 : 2
}
