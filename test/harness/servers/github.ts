import { createHash, randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { CLIENT } from './openid.ts'
import { startOrigin } from './origin.ts'

/** The signed-in user, as the REST API returns it. */
export interface GitHubUser {
  id: number
  login: string
  name: string | null
  emails: { email: string; primary: boolean; verified: boolean; visibility: string | null }[]
}

/** A server that behaves as GitHub Enterprise Server: OAuth web flow and the two REST endpoints. */
export interface GitHubSite extends AsyncDisposable {
  site: string
  /** Signs in as this user at once. */
  user: GitHubUser
  /** Answers 502 to everything. */
  broken: boolean
}

export async function startGitHubSite(): Promise<GitHubSite> {
  const codes = new Map<string, { challenge: string; redirectUri: string; scope: string }>()
  const tokens = new Set<string>()
  const { base: site, ...origin } = await startOrigin(async (req, res) => {
    const { pathname, searchParams } = new URL(req.url!, site)
    const json = (status: number, body: object) =>
      res.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
    const api = () => (tokens.has(req.headers.authorization?.replace(/^Bearer /, '') ?? '') ? 200 : 401)
    if (made.broken) return json(502, {})
    if (pathname === '/login/oauth/authorize') return authorize(searchParams)
    if (pathname === '/login/oauth/access_token') return json(200, exchange(await formOf(req)))
    if (pathname === '/api/v3/user' && req.headers['user-agent']) {
      const { emails: _, ...user } = made.user
      return json(api(), user)
    }
    if (pathname === '/api/v3/user/emails') return json(api(), made.user.emails)
    json(404, { message: 'Not Found' })

    function authorize(query: URLSearchParams) {
      const code = randomUUID()
      const challenge = query.get('code_challenge_method') === 'S256' ? query.get('code_challenge')! : ''
      codes.set(code, { challenge, redirectUri: query.get('redirect_uri')!, scope: query.get('scope')! })
      const back = new URL(query.get('redirect_uri')!)
      back.search = `${new URLSearchParams({ code, state: query.get('state')!, iss: `${site}/login/oauth` })}`
      res.writeHead(302, { location: back.href }).end()
    }
  })

  /** As GitHub does, errors have status 200. */
  function exchange(form: URLSearchParams): object {
    const issued = codes.get(form.get('code')!)
    codes.delete(form.get('code')!)
    if (form.get('client_id') !== CLIENT.clientId || form.get('client_secret') !== CLIENT.clientSecret) {
      return {
        error: 'incorrect_client_credentials',
        error_description: 'The client_id and/or client_secret are incorrect.',
      }
    }
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (!issued || issued.challenge !== challenge || issued.redirectUri !== form.get('redirect_uri')) {
      return { error: 'bad_verification_code', error_description: 'The code passed is incorrect or expired.' }
    }
    const access_token = `gho_${randomUUID()}`
    tokens.add(access_token)
    return { access_token, scope: issued.scope.replaceAll(' ', ','), token_type: 'bearer' }
  }

  const made: GitHubSite = {
    site,
    broken: false,
    user: { id: 1, login: 'octocat', name: null, emails: [] },
    [Symbol.asyncDispose]: origin[Symbol.asyncDispose],
  }
  return made
}

const formOf = async (req: IncomingMessage) => new URLSearchParams(await text(req))
