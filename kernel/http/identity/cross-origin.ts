import type { Kernel } from '../../boot/kernel.ts'
import { ServiceError } from '../../errors.ts'
import { type Middleware, pass } from '../context.ts'

/**
 * Refuses requests other than GET and HEAD from web pages of other origins. A browser sends the form of any page to any
 * address, and the page needs no answer to fill a disk (cross-site request forgery).
 *
 * Browsers say `Sec-Fetch-Site` over HTTPS and to this machine (Fetch Metadata §2.3), else only `Origin`. Pages can
 * change neither. Clients that send none of them are no browsers.
 */
export function refuseCrossOrigin({ config }: Pick<Kernel, 'config'>): Middleware {
  const { cors, publicUrl } = config
  if (cors.origins.includes('*')) return pass
  const allowed = new Set(cors.origins)
  // A proxy may not pass on the name that the browser uses.
  if (publicUrl) allowed.add(new URL(publicUrl).origin)
  return (ctx, next) => {
    const { origin, 'sec-fetch-site': site } = ctx.req.headers
    if (ctx.method === 'GET' || ctx.method === 'HEAD' || allowed.has(origin ?? '')) return next()
    const isOwn =
      site === undefined
        ? origin === undefined || isOriginOf(ctx.state.origin.host, origin)
        : // `none`: a person opened the address, not a page.
          site === 'same-origin' || site === 'none'
    if (!isOwn) throw crossOrigin()
    return next()
  }
}

/** Compares hosts only: a proxy that is not trusted may speak HTTPS to the browser. */
const isOriginOf = (host: string, origin: string) =>
  ['http', 'https'].some((scheme) => URL.parse(`${scheme}://${host}`)?.origin === origin)

const crossOrigin = () =>
  new ServiceError(
    'FORBIDDEN',
    'Origin: web pages of other sites may not send this; ask the operator to add the site to cors.origins, or, if it is the page of this service, to set PUBLIC_URL to its address',
  )
