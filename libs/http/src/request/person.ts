/** A person who is signed in to their wallet: the principal of kind `person`. It belongs to no tenant and has no scopes. */
export interface PersonPrincipal {
  kind: 'person';
  /** UUID. */
  walletId: string;
  /** UUID of the wallet session. */
  sessionId: string;
}

/** Who is signed in with a bearer token; null when it is malformed, expired, of another class, or its session has ended. */
export type PersonLookup = (token: string) => Promise<PersonPrincipal | null>;
