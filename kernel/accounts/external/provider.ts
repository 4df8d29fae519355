/** Who somebody is at a provider. */
export interface ExternalIdentity {
  /** OpenID Connect's `iss` and `sub`: together they name one person for good. */
  issuer: string
  subject: string
  email: string | undefined
  /** Whether the provider has made sure that the address is the person's. */
  emailVerified: boolean
  name: string | undefined
}

/** What one sign-in under way has to remember, in the browser that began it. */
export interface Flow {
  state: string
  nonce: string
  /** The PKCE code verifier (RFC 7636). */
  verifier: string
  redirectUri: string
}

/** A place where people can sign in, and that tells us who they are. */
export interface IdentityProvider {
  /** As it stands in paths. */
  id: string
  /** For people. */
  name: string
  /** Where to send the browser. @throws ServiceError NOT_READY when the provider cannot be reached. */
  authorizeUrl(flow: Flow): Promise<URL>
  /**
   * Who came back. @param query Of the callback.
   * @throws ServiceError UNAUTHORIZED when provider or user refused, or anything does not fit; NOT_READY.
   */
  identify(query: URLSearchParams, flow: Flow): Promise<ExternalIdentity>
}
