import type { Logger } from 'pino'
import type { Config } from '../../config/config.ts'
import { passThrough, type Tracing } from './tracing.ts'

/**
 * Opens what records spans. The packages of OpenTelemetry are loaded only if the operator names a collector.
 *
 * @param node Its name among several nodes.
 */
export async function openTracing(
  { tracing, version }: Pick<Config, 'tracing' | 'version'>,
  log: Logger,
  node: string | undefined,
): Promise<Tracing> {
  if (!tracing) return passThrough
  const { createTracing } = await import('./opentelemetry.ts')
  return createTracing({ version, node, log, env: process.env })
}
