import type { Cloud } from '../harness/servers/cloud.ts'
import { call, get, pathOf, post, type Reply, type Service } from '../harness/service.ts'
import { type Person, signUp } from '../http/people.ts'

/** Actions of one user with one provider. */
export interface Visitor extends Person {
  /** Starts a connection; returns the URL to open and the cookie that came with it. */
  begin(): Promise<{ authorizeUrl: string; cookie: string }>
  /** Connects: starts, consents at the provider, and returns in the same browser. */
  connect(cloud: Cloud): Promise<Reply>
  list(query?: Record<string, string>): Promise<Reply>
  take(ref: string): Promise<Reply>
  disconnect(): Promise<Reply>
}

/** Registers a user of this provider. */
export async function visit(service: Service, provider: string): Promise<Visitor> {
  const person = await signUp(service)
  const path = `/api/import/${provider}`

  async function begin() {
    const { json, headers } = await call(service, 'POST', `${path}/connect`, { headers: person.session })
    return { authorizeUrl: json.authorizeUrl as string, cookie: headers.get('set-cookie')!.split(';')[0]! }
  }
  return {
    ...person,
    begin,
    async connect(cloud) {
      const { authorizeUrl, cookie } = await begin()
      return get(service, pathOf(cloud.allow(authorizeUrl).href), { cookie })
    },
    list: (query = {}) => get(service, `${path}/files?${new URLSearchParams(query)}`, person.session),
    take: (ref) => post(service, path, { ref }, person.session),
    disconnect: () => call(service, 'DELETE', path, { headers: person.session }),
  }
}
