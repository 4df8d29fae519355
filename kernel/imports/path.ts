/** Whether a path from a client stays below where it is put: no empty or dot segments, no control characters. */
export const isPlainPath = (path: string) =>
  path !== '' &&
  path.length <= 4096 &&
  !/[\p{Cc}\\]/u.test(path) &&
  path.isWellFormed() &&
  !path.split('/').some((segment) => segment === '.' || segment === '..')

/** The path with each segment percent-encoded, all but the unreserved characters (RFC 3986 §2.3). */
export const encodePath = (path: string) =>
  path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/')

/** What a file or folder is called. */
export const lastSegment = (path: string) => path.replace(/\/$/, '').split('/').at(-1)!
