import type { Environment } from '@constancia/contracts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Host } from '../routes/hosts.ts';

/** Who a request is made for, as its API key says. */
export interface Tenant {
  /** UUID. */
  id: string;
  keyId: string;
  keyPrefix: string;
  slug: string;
  displayName: string;
  plan: string;
  environment: Environment;
}

/** Knows tenants by their API keys. */
export interface Authenticator {
  /** The tenant of a key found valid a moment ago, without any look-up. */
  cached(key: string): Tenant | undefined;
  /** The tenant; null when the key is malformed, unknown, revoked or expired. Rejects only when the store is unavailable. */
  resolve(key: string): Promise<Tenant | null>;
}

/** Whom a credential other than an API key stands for. What else its look-up found reaches the handler, too (Holder). */
export interface CredentialHolder {
  /** UUID. */
  tenantId: string;
}

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
