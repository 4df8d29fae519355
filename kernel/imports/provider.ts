import type { CloudApp } from '../../config/config.ts'
import type { Client, Incoming, Outgoing } from './client.ts'
import type { Allowance, RemoteFile } from './source.ts'

/** A file or folder, as a provider lists it. */
export interface CloudEntry {
  /** Names it in later requests. */
  ref: string
  name: string
  /** Bytes; null where the provider cannot say, as of documents that it has to export. */
  size: number | null
  isFolder: boolean
}

export interface CloudPage {
  files: CloudEntry[]
  /** Names the next page; null on the last. */
  nextCursor: string | null
}

/** Somebody's files at a provider. */
export interface Drive {
  /** A page of a folder, by the `ref` that a listing gave; without one, of the top. @throws ServiceError. */
  list(query: { folder?: string; cursor?: string }, signal: AbortSignal): Promise<CloudPage>
  /** @throws ServiceError NOT_FOUND when the file is gone, UNSUPPORTED_FORMAT when it cannot be exported, IMPORT_FAILED. */
  open(ref: string, allowance: Allowance): Promise<RemoteFile>
}

/** What an authorisation gave (RFC 6749 §5.1). */
export interface Tokens {
  access: string
  refresh?: string
  /** Epoch milliseconds; the access token is not used after it. */
  expiresAt: number
}

/** As `Client.send`, with the credential of a connection. */
export type Send = (url: URL, outgoing: Outgoing) => Promise<Incoming>

interface Common {
  /** In paths and in the configuration. */
  name: string
  /** For people. */
  label: string
}

/** A provider that people allow to hand out their files, by OAuth 2. */
export interface OAuthProvider extends Common {
  kind: 'oauth'
  /** What is asked for: to read files, and to keep that permission. */
  scope: string
  /** What the authorisation request says besides. */
  parameters: Readonly<Record<string, string>>
  drive(app: CloudApp, send: Send): Drive
  /** Takes the permission back; undefined where the provider has no such call. */
  revoke?(app: CloudApp, send: Send, tokens: Tokens, signal: AbortSignal): Promise<Incoming>
}

/** A credential that a client gives: texts by name. */
export type Credentials = Readonly<Record<string, string>>

/** A server that is named, with a credential, by whoever connects it. */
export interface CredentialProvider extends Common {
  kind: 'credentials'
  /** What connecting takes, by name. */
  fields: Readonly<Record<string, { description: string; optional?: boolean }>>
  /** Judges the texts and makes them what is kept. @throws ServiceError BAD_REQUEST, URL_NOT_ALLOWED. */
  check(given: Credentials, client: Client): Credentials
  drive(credentials: Credentials, client: Client): Drive
}

export type CloudProvider = OAuthProvider | CredentialProvider
