import { timingSafeEqual } from 'node:crypto';
import {
  type Environment,
  type Role,
  ROLE_SCOPES,
  type Scope,
  SCOPES,
  type TenantStanding,
} from '@constancia/contracts';
import type { Authenticator, PresentedCredential, Principal } from '@constancia/http';
import type { Database } from '@constancia/persistence';
import { LRUCache } from 'lru-cache';
import { type Networks, networksOf } from './networks.ts';
import { hashSecret, hexHashOfSecret, isMemberToken, parseApiKey } from './secrets.ts';

/** The channel on which a changed key or member token is announced; the payload is its hex SHA-256. */
const CREDENTIAL_CHANGED = 'api_key_changed';

const RESOLVE = `select c.*, platform_v1.tenant_standing(c.tenant_id) as standing
  from platform_v1.resolve_credential($1, $2) c`;

const FOUND_TTL_MS = 5_000;
const MISSING_TTL_MS = 1_000;
const MAX_FOUND = 20_000;
const MAX_MISSING = 20_000;

/** A row of platform_v1.resolve_credential, with platform_v1.tenant_standing. */
interface CredentialRow {
  principal_id: string;
  name: string;
  hash: Buffer;
  /** Of a key: how it begins. */
  prefix: string | null;
  /** Of a key; null: every scope. */
  scopes: Scope[] | null;
  /** Of a key; null: every network. */
  allowed_cidrs: string[] | null;
  in_grace: boolean;
  /** Of a member token. */
  role: Role | null;
  session_id: string | null;
  tenant_id: string;
  slug: string;
  display_name: string;
  plan: string;
  environment: Environment;
  expires_at: Date | null;
  standing: TenantStanding;
}

interface Found {
  principal: Principal;
  /** When the credential ends, epoch milliseconds. */
  expiresAtMs: number;
  networks: Networks | undefined;
}

/** A look-up under way. `outdated`: the credential changed meanwhile, so what is being read may be the state before. */
interface LookUp {
  outdated: boolean;
  result: Promise<Found | null>;
}

/** Notes keys that were presented: accepted, or refused because the request came from outside their networks. */
export interface SeenKeys {
  accepted(principal: Principal, clientIp: string): void;
  rejected(principal: Principal, clientIp: string): void;
}

/** What is used of the store. */
export type CredentialStore = Pick<Database, 'query' | 'listen'>;

/**
 * Principals by API key or member token, from the memory of this process where possible: a valid credential is remembered for 5 s, an
 * unknown one for 1 s, counted from the moment the store was asked; concurrent requests with one share one look-up. A NOTIFY on
 * `api_key_changed` forgets one at once, so a revoked one is refused within 1 s, and within 5 s while no NOTIFY arrives.
 */
export class Credentials implements Authenticator {
  private readonly found = new LRUCache<string, Found>({ max: MAX_FOUND, ttl: FOUND_TTL_MS, ttlResolution: 0 });
  private readonly missing = new LRUCache<string, true>({ max: MAX_MISSING, ttl: MISSING_TTL_MS, ttlResolution: 0 });
  private readonly lookUps = new Map<string, LookUp>();
  private subscription: { close(): Promise<void> } | undefined;

  constructor(
    private readonly database: CredentialStore,
    private readonly options: { environment: Environment; seen?: SeenKeys },
  ) {}

  /** Begins to listen for changed credentials. Does not fail while the store is unavailable. */
  async start(): Promise<void> {
    this.subscription = await this.database.listen(CREDENTIAL_CHANGED, (hash) => this.forget(hash));
  }

  async close(): Promise<void> {
    await this.subscription?.close();
  }

  cached(presented: PresentedCredential): Principal | undefined {
    // What was found has the form of its kind: it need not be looked at again.
    const found = this.found.get(hexHashOfSecret(presented.text));
    if (found?.principal.kind !== presented.kind || !isValid(found) || !isInNetworks(found, presented))
      return undefined;
    this.options.seen?.accepted(found.principal, presented.clientIp);
    return found.principal;
  }

  /** As Authenticator.resolve: null without asking the store for one that is malformed or of the other environment. */
  async resolve(presented: PresentedCredential): Promise<Principal | null> {
    const hash = this.hashOf(presented);
    if (!hash) return null;
    const id = hash.toString('hex');
    const remembered = this.found.get(id);
    if (remembered !== undefined && isValid(remembered)) return this.accepted(remembered, presented);
    if (this.missing.get(id)) return null;
    const lookUp = this.lookUps.get(id) ?? this.lookUp(presented.kind, id, hash);
    const found = await lookUp.result;
    return found && this.accepted(found, presented);
  }

  /** Forgets a credential: the next request asks the store. */
  forget(hashHex: string): void {
    this.found.delete(hashHex);
    this.missing.delete(hashHex);
    const lookUp = this.lookUps.get(hashHex);
    if (lookUp) lookUp.outdated = true;
  }

  private accepted(found: Found, presented: PresentedCredential): Principal | null {
    if (!isValid(found)) return null;
    const isInside = isInNetworks(found, presented);
    this.options.seen?.[isInside ? 'accepted' : 'rejected'](found.principal, presented.clientIp);
    return isInside ? found.principal : null;
  }

  private hashOf({ kind, text }: PresentedCredential): Buffer | undefined {
    const wellFormed =
      kind === 'key' ? parseApiKey(text)?.environment === this.options.environment : isMemberToken(text);
    return wellFormed ? hashSecret(text) : undefined;
  }

  private lookUp(kind: Principal['kind'], id: string, hash: Buffer): LookUp {
    const lookUp: LookUp = { outdated: false, result: Promise.resolve(null) };
    lookUp.result = this.ask(kind, id, hash, lookUp).finally(() => this.lookUps.delete(id));
    this.lookUps.set(id, lookUp);
    return lookUp;
  }

  private async ask(kind: Principal['kind'], id: string, hash: Buffer, lookUp: LookUp): Promise<Found | null> {
    for (;;) {
      lookUp.outdated = false;
      const start = performance.now();
      const rows = await this.database.query<CredentialRow>(RESOLVE, [kind, hash]);
      if (lookUp.outdated) continue;
      const found = rows.map((row) => this.foundIn(kind, row, hash)).find((one) => one !== null) ?? null;
      if (found) this.found.set(id, found, { start });
      else this.missing.set(id, true, { start });
      return found;
    }
  }

  private foundIn(kind: Principal['kind'], row: CredentialRow, hash: Buffer): Found | null {
    if (row.environment !== this.options.environment) return null;
    if (row.hash.length !== hash.length || !timingSafeEqual(row.hash, hash)) return null;
    return {
      principal: principalOf(kind, row),
      expiresAtMs: row.expires_at?.getTime() ?? Infinity,
      networks: row.allowed_cidrs === null ? undefined : networksOf(row.allowed_cidrs),
    };
  }
}

function principalOf(kind: Principal['kind'], row: CredentialRow): Principal {
  const tenant = {
    id: row.tenant_id,
    slug: row.slug,
    displayName: row.display_name,
    plan: row.plan,
    environment: row.environment,
    standing: row.standing,
  };
  const common = { kind, id: row.principal_id, name: row.name, tenant, inGrace: row.in_grace };
  if (kind === 'key')
    return { ...common, scopes: new Set(row.scopes ?? SCOPES), ...(row.prefix !== null && { prefix: row.prefix }) };
  if (row.role === null || row.session_id === null) throw new Error('a member token has a role and a session');
  return { ...common, scopes: new Set(ROLE_SCOPES[row.role]), role: row.role, sessionId: row.session_id };
}

function isValid({ expiresAtMs }: Found): boolean {
  return Date.now() < expiresAtMs;
}

function isInNetworks({ networks }: Found, { clientIp }: PresentedCredential): boolean {
  return networks?.includes(clientIp) !== false;
}
