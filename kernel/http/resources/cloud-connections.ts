import type { Kernel } from '../../boot/kernel.ts'
import { googleDrive } from '../../imports/google-drive.ts'
import type { CloudProvider } from '../../imports/provider.ts'
import { s3 } from '../../imports/s3.ts'
import { webdav } from '../../imports/webdav.ts'
import { STATE_LIFETIME } from '../../people/oauth-states.ts'
import { flag, list, record, reference, text } from '../answer/response-schema.ts'
import { envelope } from '../answer/shape.ts'
import { baseUrl, type Context, setCookie } from '../context.ts'
import { done, endpoint, ok, type Resource } from '../endpoint.ts'
import { withinTime } from '../request/import.ts'
import { readJson } from '../request/json-body.ts'
import type { ObjectSchema } from '../request/schema.ts'

/** The cookie by which the callback knows the browser that began a connection. */
const COOKIE = 'athanor-connect'

/** The fields of every provider. The `fields` of a provider say which of them it takes. */
const credentials: ObjectSchema & { properties: Record<string, { type: 'string' }> } = {
  type: 'object',
  properties: Object.fromEntries(
    [s3, webdav].flatMap(({ label, fields }) =>
      Object.entries(fields).map(([name, { description }]) => [
        name,
        { type: 'string' as const, description: `${label}: ${description}` },
      ]),
    ),
  ),
}

interface Offer {
  provider: CloudProvider
  connected: boolean
}

/** A provider as clients see it. */
function providerRecord({ provider, connected }: Offer) {
  const { name, label, kind } = provider
  const fields = kind === 'credentials' ? Object.entries(provider.fields) : []
  return {
    name,
    label,
    kind,
    connected,
    fields: fields.map(([field, { description, optional }]) => ({ name: field, description, required: !optional })),
  }
}

const providerResponse = envelope(
  record({ provider: reference('Provider') }),
  (offer: Offer) => ({ provider: providerRecord(offer) }),
  // Only providers of this kind send a browser back.
  () => ({ provider: googleDrive, connected: true }),
)

const providerList = envelope(record({ providers: list('Provider') }), (offers: readonly Offer[]) => ({
  providers: offers.map(providerRecord),
}))

const connectResponse = envelope(
  record({
    authorizeUrl: {
      type: ['string', 'null'],
      description: 'URL to open in a browser; null if the provider is now connected.',
    },
  }),
  (begun: { authorizeUrl: string } | undefined) => ({ authorizeUrl: begun?.authorizeUrl ?? null }),
  () => undefined,
)

export const cloudConnections: Resource = {
  tag: 'Imports',
  schemas: {
    Provider: record({
      name: text('Name in paths.'),
      label: text('Name for people.'),
      kind: text('How to connect: by opening `authorizeUrl`, or by sending `fields`.', {
        enum: ['oauth', 'credentials'],
      }),
      connected: flag('Whether you have connected it.'),
      fields: {
        type: 'array',
        description: 'What to send to connect; empty for `oauth`.',
        items: record({
          name: text('Key in the body.'),
          description: text('For people.'),
          required: flag('Required.'),
        }),
      },
    }),
  },
  endpoints: [
    endpoint('GET', '/api/import/providers', {
      id: 'listImportProviders',
      authentication: 'optional',
      rate: 'requests',
      summary: 'List the cloud providers',
      description: 'Shows the providers of this service, and which of them you have connected.',
      answer: ok('All of them.', providerList),
      handle: ({ imports }, { owner }) => imports.clouds.list(owner),
    }),
    endpoint('POST', '/api/import/:provider/connect', {
      id: 'connectImportProvider',
      authentication: 'account',
      rate: 'requests',
      summary: 'Connect a cloud provider',
      description:
        'A provider of the kind `credentials` is connected at once. For the kind `oauth`, open `authorizeUrl` in a browser.',
      body: credentials,
      bodyOptional: true,
      example: () => ({
        url: 'https://cloud.example.org/remote.php/dav/files/me/',
        username: 'me',
        password: 'of-an-app',
      }),
      answer: ok('Connected, or waiting for the browser.', connectResponse),
      refusals: ['URL_NOT_ALLOWED', 'NOT_FOUND', 'IMPORT_FAILED'],
      handle: async ({ config, imports: { clouds } }, { ctx, params: { provider }, owner }) => {
        const request = { provider, body: () => readJson(ctx), redirectUri: callbackUrl(config, ctx) }
        const begun = await withinTime(config, ctx, (signal) => clouds.connect(owner, request, signal))
        if (begun) setCookie(ctx, COOKIE, begun.browser, { url: callbackUrl(config, ctx), seconds: STATE_LIFETIME })
        return begun
      },
    }),
    endpoint('GET', '/api/import/:provider/callback', {
      id: 'finishImportConnection',
      authentication: 'optional',
      rate: 'requests',
      summary: 'Finish connecting a provider',
      description: 'The provider sends the browser here. Programs do not call it.',
      query: {
        type: 'object',
        properties: {
          code: { type: 'string', description: 'Authorization code (RFC 6749 §4.1.2).' },
          state: { type: 'string', description: 'State from `authorizeUrl`.' },
          error: { type: 'string', description: 'Why the provider refused.' },
        },
      },
      readsQuery: true,
      answer: ok('Connected.', providerResponse),
      refusals: ['BAD_REQUEST', 'NOT_FOUND', 'IMPORT_FAILED'],
      handle: async ({ config, imports: { clouds } }, { ctx, params, owner }) => {
        const callback = new URL(`${callbackUrl(config, ctx)}?${ctx.querystring}`)
        const by = { owner, browser: ctx.cookies.get(COOKIE) }
        const answer = { provider: params.provider, callback, by }
        const provider = await withinTime(config, ctx, (signal) => clouds.finish(answer, signal))
        setCookie(ctx, COOKIE, '', { url: callbackUrl(config, ctx), seconds: 0 })
        return { provider, connected: true }
      },
    }),
    endpoint('DELETE', '/api/import/:provider', {
      id: 'disconnectImportProvider',
      authentication: 'account',
      rate: 'requests',
      summary: 'Disconnect a cloud provider',
      description: 'Deletes the credentials, and revokes them where the provider allows that.',
      answer: done,
      refusals: ['NOT_FOUND'],
      handle: ({ config, imports: { clouds } }, { ctx, params, owner }) =>
        withinTime(config, ctx, (signal) => clouds.disconnect(owner, params.provider, signal)),
    }),
  ],
}

const callbackUrl = (config: Kernel['config'], ctx: Context) =>
  `${baseUrl(config, ctx)}/api/import/${encodeURIComponent(ctx.params.provider ?? '')}/callback`
