/** Why a single sign-on did not sign anybody in: the console host names it in the address of its page, which has the text for it. */
export const SSO_FAILURES = [
  /** The sign-in was used, took too long, was begun in another browser or with other settings, or never began. */
  'expired',
  /** The provider does not answer. */
  'unavailable',
  /** What the provider answered is not what it must be. */
  'refused',
  /** The person, or the provider for them, said no. */
  'denied',
  'no_email',
  'email_unverified',
  'foreign_domain',
  'not_invited',
  /** The member is suspended. */
  'suspended',
  'tenant_suspended',
  'no_role',
  'other_account',
  'too_many_members',
  /** The tenant requires passkeys. */
  'passkey_required',
] as const;

export type SsoFailure = (typeof SSO_FAILURES)[number];
