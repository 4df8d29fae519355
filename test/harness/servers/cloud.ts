import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { CloudApp, Config } from '../../../config/config.ts'
import { type Origin, startOrigin } from './origin.ts'

/** A request to a provider's API with a valid token. */
export interface Question {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
}

/** A configuration with only these cloud storages. */
export const offering = (providers: Partial<Config['imports']['providers']>): Config['imports']['providers'] => ({
  'google-drive': null,
  dropbox: null,
  onedrive: null,
  s3: false,
  webdav: false,
  ...providers,
})

/** An OAuth 2 server (RFC 6749, 7636, 7009) with an API behind it, and controls for tests. */
export interface Cloud extends Origin {
  app: Required<CloudApp>
  /** Consents for the user; returns the URL of the redirect. Throws if the request is invalid. */
  allow(authorizeUrl: string): URL
  /** Expires all issued access tokens. */
  expire(): void
  /** Revokes the grant, so that refreshing fails as well. */
  withdraw(): void
  /** Revoked tokens. */
  revoked: string[]
  /** Grant types that the token endpoint got, in order. */
  grants: string[]
  /** All issued secrets. */
  secrets: string[]
  /** Lifetime of new access tokens in seconds, as stated. */
  lifetime: number
  /** Status of the token endpoint if it should fail. */
  fault: number | undefined
}

const CLIENT = { clientId: 'client-7', clientSecret: 'client s3cret' }

/** Starts one. `answer` is its API, called only for requests with a valid token. */
export async function startCloud(
  scope: string,
  answer: (question: Question, res: ServerResponse, cloud: Cloud) => void,
  host = '127.0.0.1',
): Promise<Cloud> {
  const codes = new Map<string, { challenge: string; redirect: string }>()
  const access = new Set<string>()
  const refresh = new Set<string>()
  const make = (kind: string) => {
    const token = `${kind}-${randomBytes(12).toString('hex')}`
    cloud.secrets.push(token)
    return token
  }

  function grant(form: URLSearchParams): [number, object] {
    const kind = form.get('grant_type')!
    cloud.grants.push(kind)
    if (cloud.fault) return [cloud.fault, { error: 'server_error' }]
    if (form.get('client_id') !== CLIENT.clientId || form.get('client_secret') !== CLIENT.clientSecret) {
      return [401, { error: 'invalid_client' }]
    }
    const given = { token_type: 'Bearer', expires_in: cloud.lifetime, scope }
    const add = (token: string) => {
      access.add(token)
      return token
    }
    if (kind === 'refresh_token') {
      if (!refresh.has(form.get('refresh_token')!)) return [400, { error: 'invalid_grant' }]
      return [200, { ...given, access_token: add(make('access')) }]
    }
    const code = codes.get(form.get('code')!)
    codes.delete(form.get('code')!)
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (code?.challenge !== challenge || code.redirect !== form.get('redirect_uri'))
      return [400, { error: 'invalid_grant' }]
    const token = make('refresh')
    refresh.add(token)
    return [200, { ...given, access_token: add(make('access')), refresh_token: token }]
  }

  const origin = await startOrigin(
    async (req, res) => {
      const url = new URL(req.url!, 'http://x')
      const body = await text(req)
      if (url.pathname === '/token') {
        const [status, json] = grant(new URLSearchParams(body))
        return void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
      }
      const token = req.headers.authorization?.replace(/^Bearer /, '') ?? ''
      if (!access.has(token)) return void res.writeHead(401).end('{"error":{"code":401}}')
      answer({ method: req.method!, url, headers: req.headers, body }, res, cloud)
    },
    { host },
  )
  const { base } = origin

  const cloud: Cloud = {
    ...origin,
    app: {
      ...CLIENT,
      authorizeUrl: `${base}/authorize`,
      tokenUrl: `${base}/token`,
      revokeUrl: `${base}/revoke`,
      apiUrl: `${base}/api`,
      contentUrl: `${base}/content`,
    },
    revoked: [],
    grants: [],
    secrets: [],
    lifetime: 3600,
    fault: undefined,
    allow(authorizeUrl) {
      const { origin: at, pathname, searchParams: asked } = new URL(authorizeUrl)
      const said = Object.fromEntries(asked)
      const right =
        at + pathname === `${base}/authorize` &&
        said.response_type === 'code' &&
        said.client_id === CLIENT.clientId &&
        said.code_challenge_method === 'S256' &&
        said.scope === scope
      if (!right || !said.state || !said.code_challenge) throw new Error(`not a good request: ${authorizeUrl}`)
      const code = make('code')
      codes.set(code, { challenge: said.code_challenge, redirect: said.redirect_uri! })
      return new URL(`${said.redirect_uri}?${new URLSearchParams({ code, state: said.state, scope })}`)
    },
    expire: () => access.clear(),
    withdraw() {
      access.clear()
      refresh.clear()
    },
  }
  return cloud
}

/** Sends JSON, as the APIs do. */
export const reply = (res: ServerResponse, json: object, status = 200) =>
  void res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(json))
