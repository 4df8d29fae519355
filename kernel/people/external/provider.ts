import type { OAuthState } from '../oauth-states.ts'

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

/** A service that signs people in and tells their identity. */
export interface IdentityProvider {
  /** Name in paths. */
  id: string
  /** Name shown to users. */
  name: string
  /**
   * Returns the URL for the browser. @param redirectUri Where the provider sends it afterwards.
   * @throws ServiceError NOT_READY if the provider cannot be reached.
   */
  authorizeUrl(state: OAuthState, redirectUri: string): Promise<URL>
  /**
   * Resolves to the identity of the signed-in user. @param callback The redirect's URL with its query.
   * @throws ServiceError UNAUTHORIZED if the provider or the user refused, or a check failed; NOT_READY.
   */
  identify(callback: URL, state: OAuthState): Promise<ExternalIdentity>
}
