import type { CloudApp } from '../../config/config.ts'
import { ServiceError } from '../errors.ts'
import type { Client } from './client.ts'
import { dropbox } from './dropbox.ts'
import { googleDrive } from './google-drive.ts'
import type { OAuthFlow } from './oauth-flow.ts'
import { onedrive } from './onedrive.ts'
import type { CloudProvider, CredentialProvider, OAuthProvider } from './provider.ts'
import { s3 } from './s3.ts'
import { webdav } from './webdav.ts'

/** Every provider. A new one needs a file in this folder and a key in the configuration. */
const PROVIDERS: readonly CloudProvider[] = [googleDrive, dropbox, onedrive, s3, webdav]

/** An OAuth provider, with the application that asks users for permission. */
export interface OfferedOAuth {
  provider: OAuthProvider
  app: CloudApp
  flow: OAuthFlow
}

export type Offered = OfferedOAuth | { provider: CredentialProvider }

/** The providers that an operator offers. */
export type Offer = Awaited<ReturnType<typeof createOffer>>

export async function createOffer(settings: Readonly<Record<string, CloudApp | boolean | null>>, client: Client) {
  const offered = new Map<string, Offered>()
  for (const provider of PROVIDERS) {
    const setting = settings[provider.name]
    if (!setting) continue
    if (provider.kind === 'credentials') offered.set(provider.name, { provider })
    else {
      const app = withoutSlashes(setting as CloudApp)
      // Its library is loaded only if an operator offers such a provider.
      const { createOAuthFlow } = await import('./oauth-flow.ts')
      offered.set(provider.name, { provider, app, flow: createOAuthFlow(provider, app, client) })
    }
  }
  return {
    all: [...offered.values()],
    /** @throws ServiceError NOT_FOUND. */
    get(name: string) {
      const found = offered.get(name)
      if (found) return found
      const names = [...offered.keys()].join(', ') || 'none'
      throw new ServiceError('NOT_FOUND', `There is no such provider; available: ${names}`)
    },
  }
}

const withoutSlashes = (app: CloudApp): CloudApp => ({
  ...app,
  ...Object.fromEntries(
    Object.entries(app)
      .filter(([key]) => key.endsWith('Url'))
      .map(([key, url]) => [key, url.replace(/\/+$/, '')]),
  ),
})
