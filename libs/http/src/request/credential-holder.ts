import type { IncomingHttpHeaders } from 'node:http';
import type { TenantStanding } from '@constancia/contracts';
import type { Host } from '../routes/hosts.ts';

/** Whom a credential other than an API key or a member token stands for. What else its look-up found reaches the handler, too (Holder). */
export interface CredentialHolder {
  /** UUID. */
  tenantId: string;
  /** Of the tenant. */
  standing: TenantStanding;
}

/** What a signed address allows, and for which tenant; a person's belongs to none. It is checked without the store: its handler looks up the tenant's standing. */
export type AddressGrant = Partial<Pick<CredentialHolder, 'tenantId'>>;

/** The holder; null when the credential is malformed, unknown or no longer valid. Rejects only when the store is unavailable. */
export type HolderLookup = (credential: string) => Promise<CredentialHolder | null>;

/** What the look-up of a credential in a path gets in addition to the credential. */
export interface PathRequest {
  headers: IncomingHttpHeaders;
  method: string;
  host: Host;
}

/** Knows the holders of credentials that stand in paths; answers as HolderLookup. */
export interface PathCredentials {
  find: (credential: string, request: PathRequest) => Promise<CredentialHolder | null>;
}
