import type { CloudApp } from '../../config/config.ts'
import type { Client, Incoming, Outgoing } from './client.ts'
import type { Allowance, RemoteFile } from './source.ts'

/** A file or folder, as a provider lists it. */
export interface CloudEntry {
  /** Identifies the entry in later requests. */
  ref: string
  name: string
  /** Bytes; null if the provider does not know, as for documents that it has to export. */
  size: number | null
  isFolder: boolean
}

export interface CloudPage {
  files: CloudEntry[]
  /** Identifies the next page; null on the last page. */
  nextCursor: string | null
}

/** A user's files at a provider. */
export interface Drive {
  /** Lists a page of a folder, given by its `ref` in a listing. Default: the top folder. @throws ServiceError. */
  list(query: { folder?: string; cursor?: string }, signal: AbortSignal): Promise<CloudPage>
  /** @throws ServiceError NOT_FOUND if the file is gone, UNSUPPORTED_FORMAT if it cannot be exported, IMPORT_FAILED. */
  open(ref: string, allowance: Allowance): Promise<RemoteFile>
}

/** Tokens from an authorisation (RFC 6749 §5.1). */
export interface Tokens {
  access: string
  refresh?: string
  /** Epoch milliseconds; the access token is not used after it. */
  expiresAt: number
}

/** Sends as `Client.send` does, with the credential of a connection. */
export type Send = (url: URL, outgoing: Outgoing) => Promise<Incoming>

interface Common {
  /** Name in paths and in the configuration. */
  name: string
  /** Display name. */
  label: string
}

/** A provider where users grant access to their files through OAuth 2. */
export interface OAuthProvider extends Common {
  kind: 'oauth'
  /** Scope of the permission: reading files, and keeping that permission. */
  scope: string
  /** Additional parameters of the authorisation request. */
  parameters: Readonly<Record<string, string>>
  drive(app: CloudApp, send: Send): Drive
  /** Revokes the permission; undefined if the provider has no such call. */
  revoke?(app: CloudApp, send: Send, tokens: Tokens, signal: AbortSignal): Promise<Incoming>
}

/** A client's credential: values by field name. */
export type Credentials = Readonly<Record<string, string>>

/** A server that users connect by its address and a credential. */
export interface CredentialProvider extends Common {
  kind: 'credentials'
  /** Fields of the credential, by name. */
  fields: Readonly<Record<string, { description: string; optional?: boolean }>>
  /** Validates the values and returns those to store. @throws ServiceError BAD_REQUEST, URL_NOT_ALLOWED. */
  check(given: Credentials, client: Client): Credentials
  drive(credentials: Credentials, client: Client): Drive
}

export type CloudProvider = OAuthProvider | CredentialProvider
