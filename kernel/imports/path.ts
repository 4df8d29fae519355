/**
 * Returns true if a client's path stays below its base: 1 to 4,096 characters, without dot segments, backslashes or
 * control characters.
 */
export const isPlainPath = (path: string) =>
  path !== '' &&
  path.length <= 4096 &&
  !/[\p{Cc}\\]/u.test(path) &&
  path.isWellFormed() &&
  !path.split('/').some((segment) => segment === '.' || segment === '..')

/** Percent-encodes each segment of a path, except unreserved characters (RFC 3986 §2.3). */
export const encodePath = (path: string) =>
  path
    .split('/')
    .map((segment) =>
      encodeURIComponent(segment).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
    .join('/')

/** Returns the name of a file or folder: the last segment of its path. */
export const lastSegment = (path: string) => path.replace(/\/$/, '').replace(/^.*\//s, '')
