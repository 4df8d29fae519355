/** Who somebody is at a provider. */
export interface ExternalIdentity {
  /** OpenID Connect's `iss` and `sub`: together they name one person for ever. */
  issuer: string
  subject: string
  email: string | undefined
  /** Whether the provider has verified that the address is the person's. */
  emailVerified: boolean
  name: string | undefined
}

/** What the browser keeps while a sign-in is going on. */
export interface Flow {
  state: string
  nonce: string
  /** The PKCE code verifier (RFC 7636). */
  verifier: string
  redirectUri: string
}

/** A service where people sign in, and that tells us who they are. */
export interface IdentityProvider {
  /** As in paths. */
  id: string
  /** For people. */
  name: string
  /** The URL to send the browser to. @throws ServiceError NOT_READY when the provider cannot be reached. */
  authorizeUrl(flow: Flow): Promise<URL>
  /**
   * Resolves to who signed in. @param query Of the callback.
   * @throws ServiceError UNAUTHORIZED when the provider or the user refused, or a check failed; NOT_READY.
   */
  identify(query: URLSearchParams, flow: Flow): Promise<ExternalIdentity>
}
