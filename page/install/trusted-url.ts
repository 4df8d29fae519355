declare const trustedTypes:
  | { createPolicy(name: string, rules: { createScriptURL(url: string): string }): typeof rules }
  | undefined

/** Returns the address of a script of the page. Its content security policy demands a policy for such addresses. */
export function trustedUrl(url: string): string {
  if (typeof trustedTypes === 'undefined') return url
  return trustedTypes.createPolicy('athanor', { createScriptURL: (own) => own }).createScriptURL(url)
}
