import type { Config } from '../../../config/config.ts'
import type { Resource } from '../endpoint.ts'
import { account } from './account.ts'
import { agents } from './agents.ts'
import { apiKeys } from './api-keys.ts'
import { batchDownload } from './batch-download.ts'
import { batches } from './batches.ts'
import { catalogue } from './catalogue.ts'
import { cloudConnections } from './cloud-connections.ts'
import { cloudImports } from './cloud-imports.ts'
import { conversionStart } from './conversion-start.ts'
import { conversions } from './conversions.ts'
import { downloads } from './downloads.ts'
import { events } from './events.ts'
import { files } from './files.ts'
import { gotenberg } from './gotenberg.ts'
import { invitations } from './invitations.ts'
import { oneCall } from './one-call.ts'
import { operating } from './operating.ts'
import { providerSignIn } from './provider-sign-in.ts'
import { resumableUploads } from './resumable-uploads.ts'
import { signIn } from './sign-in.ts'
import { team } from './team.ts'
import { teams } from './teams.ts'
import { uploads } from './uploads.ts'
import { urlImports } from './url-imports.ts'
import { webhooks } from './webhooks.ts'

/** Every resource, in the order of the OpenAPI document. Of two paths that fit a request, the earlier one counts. */
export const resources: readonly Resource[] = [
  oneCall,
  uploads,
  resumableUploads,
  urlImports,
  cloudConnections,
  cloudImports,
  files,
  downloads,
  conversionStart,
  batches,
  batchDownload,
  conversions,
  events,
  webhooks,
  catalogue,
  signIn,
  providerSignIn,
  account,
  apiKeys,
  teams,
  invitations,
  team,
  agents,
  operating,
]

/** What a node serves. One that only converts has nothing for clients. */
export function resourcesOf({ role, doors }: Pick<Config, 'role' | 'doors'>): readonly Resource[] {
  if (role === 'worker') return [operating]
  const open = doors.agents ? resources : resources.filter((resource) => resource !== agents)
  return doors.gotenberg ? [...open, gotenberg] : open
}
