/** A minimal browser for sign-in: cookies with their paths, redirects, and forms to fill in. */
export interface Browser {
  cookies: Map<string, { value: string; path: string }>
  /** Sends one request without following redirects. Stores and sends cookies. */
  visit(url: string | URL, form?: Record<string, string>): Promise<Response>
}

/** @param hosts Real origins of public ones: `https://convert.example` → `http://127.0.0.1:1234`. */
export function createBrowser(hosts: Record<string, string> = {}): Browser {
  const cookies: Browser['cookies'] = new Map()
  return {
    cookies,
    async visit(target, form) {
      const url = new URL(target)
      const real = new URL(url.pathname + url.search, hosts[url.origin] ?? url.origin)
      const fitting = [...cookies].filter(
        ([key, { path }]) =>
          key.startsWith(`${url.origin} `) &&
          (url.pathname === path || url.pathname.startsWith(path === '/' ? path : `${path}/`)),
      )
      const cookie = fitting.map(([key, { value }]) => `${key.split(' ')[1]}=${value}`).join('; ')
      const answer = await fetch(real, {
        redirect: 'manual',
        headers: { ...(cookie && { cookie }) },
        ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const line of answer.headers.getSetCookie()) {
        const [, name, value, rest] = /^([^=]+)=([^;]*)(.*)$/.exec(line)!
        const path = /;\s*path=([^;]+)/i.exec(rest!)?.[1] ?? '/'
        const gone = /;\s*max-age=0/i.test(rest!) || /;\s*expires=Thu, 01 Jan 1970/i.test(rest!)
        if (gone) cookies.delete(`${url.origin} ${name}`)
        else cookies.set(`${url.origin} ${name}`, { value: value!, path })
      }
      return answer
    },
  }
}
