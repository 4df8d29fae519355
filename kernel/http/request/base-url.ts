import type { Config } from '../../../config/config.ts'
import type { Context } from '../context.ts'

/**
 * The URL of the service's root, without a slash at the end: as configured, else as the request names it. Never mail
 * the second kind: the client chooses its host.
 */
export const baseUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, { state: { origin } }: Context) =>
  publicUrl ?? `${origin.secure ? 'https' : 'http'}://${origin.host}`
