/** Where members of a tenant begin to sign in through their provider: a page. */
export function ssoSignInUrl(consoleAddress: string, slug: string): string {
  return `${consoleAddress}/console/sso/${slug}`;
}

/** Where the provider sends them back to: an address of the tenant's own, so that the answer of another tenant's provider has no place here. */
export function ssoRedirectUri(consoleAddress: string, slug: string): string {
  return `${consoleAddress}/console/sso/${slug}/callback`;
}
