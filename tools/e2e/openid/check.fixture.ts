import type { RelyingParty } from './relying-party.fixture.ts';

/** One line of the list: what the provider promises, and how that is seen from outside. */
export interface Check {
  /** Stable: a run of the OpenID Foundation's suite is compared by these names. */
  name: string;
  what: string;
  how: (party: RelyingParty) => Promise<void>;
}
