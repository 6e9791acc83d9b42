import type { Environment, Role, Scope, TenantStanding } from '@constancia/contracts';

/** Who a request is made for. */
export interface Tenant {
  /** UUID. */
  id: string;
  slug: string;
  displayName: string;
  plan: string;
  environment: Environment;
  standing: TenantStanding;
}

/** Who makes a request on behalf of a tenant, and what it may do. */
export interface Principal {
  kind: 'key' | 'member';
  /** UUID of the key or of the member. */
  id: string;
  /** The name of the key or of the member, for people. */
  name: string;
  tenant: Tenant;
  scopes: ReadonlySet<Scope>;
  /** A key that was replaced and is accepted until its grace ends. */
  inGrace: boolean;
  /** Of a key: how it begins. */
  prefix?: string;
  /** Of a member. */
  role?: Role;
  /** Of a member: UUID of the console session that the member token belongs to. */
  sessionId?: string;
}

/** A credential as a request presents it: an API key in X-API-Key, or a member token as a bearer token. */
export interface PresentedCredential {
  kind: Principal['kind'];
  text: string;
  clientIp: string;
}

/** Knows principals by their credentials. */
export interface Authenticator {
  /** The principal of a credential found valid a moment ago, without any look-up. */
  cached(presented: PresentedCredential): Principal | undefined;
  /**
   * The principal; null when the credential is malformed, unknown, revoked, expired, or presented from outside its networks. Rejects only
   * when the store is unavailable.
   */
  resolve(presented: PresentedCredential): Promise<Principal | null>;
}
