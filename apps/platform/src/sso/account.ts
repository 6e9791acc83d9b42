import { createHash } from 'node:crypto';
import { isPublicMailDomain } from './public-mail-domains.ts';
import type { Sso } from './sso.entity.ts';

/** What the provider says about who signed in, checked. */
export interface Account {
  email: string;
  name: string | null;
  /** The value of the claim with the groups. */
  groups: unknown;
  /** SHA-256 of issuer, client and the account's id there. */
  subject: Buffer;
}

type Settings = Pick<Sso, 'issuer' | 'client_id' | 'domains' | 'role_claim'>;

/** Printable ASCII: a letter that only looks like another one, or that becomes another one in lower case, is no address here. */
const ADDRESS = /^[\x21-\x3f\x41-\x7e]{1,64}@([a-z0-9-]+(?:\.[a-z0-9-]+)+)$/i;

/** The claims of the ID token, and what it lacks of UserInfo. That an address is verified counts for the address that it was said of. */
export function withUserInfo(
  idToken: Record<string, unknown>,
  userInfo: Record<string, unknown>,
): Record<string, unknown> {
  const { email = userInfo.email } = idToken;
  const says = [idToken, userInfo].find((claims) => claims.email === email && claims.email_verified !== undefined);
  return { ...userInfo, ...idToken, email, email_verified: says?.email_verified };
}

/** The account of verified claims, or why it may not sign in. */
export function accountOf(
  claims: Record<string, unknown>,
  { issuer, client_id, domains, role_claim }: Settings,
): Account | 'no_email' | 'email_unverified' | 'foreign_domain' {
  const { sub, email, email_verified, name } = claims;
  const domain = typeof email === 'string' && email.length <= 254 ? ADDRESS.exec(email)?.[1] : undefined;
  if (domain === undefined) return 'no_email';
  if (email_verified !== true) return 'email_unverified';
  if (!domains.includes(domain.toLowerCase())) return 'foreign_domain';
  return {
    email: email as string,
    name: typeof name === 'string' ? name.trim() : null,
    groups: role_claim === null ? undefined : claims[role_claim],
    subject: createHash('sha256')
      .update(JSON.stringify([issuer, client_id, sub]))
      .digest(),
  };
}

/** Whether an address of the domain may become a member without an invitation. */
export function mayProvision(email: string): boolean {
  return !isPublicMailDomain(email.slice(email.lastIndexOf('@') + 1));
}
