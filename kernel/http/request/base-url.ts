import type { Config } from '../../../config/config.ts'
import type { Context } from '../context.ts'

/**
 * The service's root as its clients reach it, without a slash at the end: as configured, else as
 * this one came. Its host is then the client's word: never to be mailed.
 */
export const baseUrl = ({ publicUrl }: Pick<Config, 'publicUrl'>, { state: { origin } }: Context) =>
  publicUrl ?? `${origin.secure ? 'https' : 'http'}://${origin.host}`
