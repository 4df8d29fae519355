/** The identity of a user at a provider. */
export interface ExternalIdentity {
  /** OpenID Connect's `iss` and `sub`. Together they identify one person permanently. */
  issuer: string
  subject: string
  email: string | undefined
  /** Whether the provider has verified that the address belongs to the person. */
  emailVerified: boolean
  name: string | undefined
}

/** What the browser keeps during a sign-in. */
export interface Flow {
  state: string
  nonce: string
  /** The PKCE code verifier (RFC 7636). */
  verifier: string
  redirectUri: string
}

/** A service that signs people in and tells their identity. */
export interface IdentityProvider {
  /** Name in paths. */
  id: string
  /** Name shown to users. */
  name: string
  /** Returns the URL for the browser. @throws ServiceError NOT_READY if the provider cannot be reached. */
  authorizeUrl(flow: Flow): Promise<URL>
  /**
   * Resolves to the identity of the signed-in user. @param query Query of the callback.
   * @throws ServiceError UNAUTHORIZED if the provider or the user refused, or a check failed; NOT_READY.
   */
  identify(query: URLSearchParams, flow: Flow): Promise<ExternalIdentity>
}
