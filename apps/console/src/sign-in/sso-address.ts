import { SSO_FAILURES, type SsoFailure as Failure } from '@constancia/contracts/sso-failures';

/** Why a single sign-on did not sign anybody in, as the server names it; unknown: no organization of that name has one. */
export type SsoFailure = Failure | 'unknown';

/** The organization of the address `/console/sso/{slug}`, empty when the reader has yet to name it, and what failed (`#failure=`). */
export interface SsoAddress {
  slug: string;
  failure: SsoFailure | null;
}

/** What the address says of single sign-on; null when it is another address. The failure is taken out of it: a reload begins again. */
export function takeSsoAddress(): SsoAddress | null {
  const slug = /^\/console\/sso\/([a-z0-9-]{1,63})\/?$/.exec(location.pathname)?.[1];
  if (slug === undefined) return null;
  const named = new URLSearchParams(location.hash.slice(1)).get('failure');
  if (named !== null) history.replaceState(history.state, '', location.pathname);
  return { slug, failure: SSO_FAILURES.find((failure) => failure === named) ?? null };
}
