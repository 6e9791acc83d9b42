import type { AuditedValues, AuditEntry } from '@constancia/auth';
import { type Scope, SCOPES } from '@constancia/contracts';
import type { Principal } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Forbidden, NotFound } from '@constancia/problem-json';
import type { ApiKeyUse } from './api-key-use.entity.ts';
import type { ApiKey } from './api-key.entity.ts';

export const MAX_KEYS = 50;

/** A key by its present secret, with when it was used. */
export type KeyRow = Pick<
  ApiKey,
  | 'id' | 'key_id' | 'name' | 'prefix' | 'scopes' | 'allowed_cidrs' | 'is_default' | 'created_by' | 'created_at' | 'expires_at'
  | 'external_ref' | 'metadata'
> &
  Pick<ApiKeyUse, 'used_at' | 'used_ip' | 'rejected' | 'rejected_at' | 'rejected_ip'> & {
    is_expired: boolean;
    grace_ends_at: Date | null;
    first_created_at: Date;
  }; // prettier-ignore

/** The keys of the tenant $1 that were not deleted. */
export const KEYS = `
  select k.id, k.key_id, k.name, k.prefix, k.scopes, k.allowed_cidrs, k.is_default, k.created_by, k.created_at, k.expires_at, k.external_ref,
         k.metadata, coalesce(k.expires_at <= now(), false) as is_expired, f.created_at as first_created_at,
         (select max(g.expires_at) from platform.api_key g
           where g.tenant_id = $1 and g.key_id = k.key_id and g.status = 'expiring' and g.expires_at > now()) as grace_ends_at,
         u.used_at, u.used_ip, coalesce(u.rejected, 0) as rejected, u.rejected_at, u.rejected_ip
    from platform.api_key k join platform.api_key f on f.id = k.key_id
    left join platform.api_key_use u on u.key_id = k.key_id
   where k.tenant_id = $1 and k.status = 'active'`;

/** A key of the transaction's tenant. Throws NotFound. */
export async function requireKey(tx: Tx, tenantId: string, keyId: string | null): Promise<KeyRow> {
  const [row] = await tx.query<KeyRow>(`${KEYS} and k.key_id = $2`, [tenantId, keyId]);
  if (!row) throw new NotFound();
  return row;
}

/** The default key of the transaction's tenant. */
export async function defaultKey(tx: Tx, tenantId: string): Promise<KeyRow> {
  const [row] = await tx.query<KeyRow>(`${KEYS} and k.is_default`, [tenantId]);
  if (!row) throw new Error('every tenant has its default key');
  return row;
}

/** Changes of a tenant's keys wait for each other from here to their commit. */
export async function lockKeys(tx: Tx, tenantId: string): Promise<void> {
  await tx.query('select 1 from platform.tenant where id = $1 for update', [tenantId]);
}

/** Refuses to give scopes that the principal does not hold. */
export function requireGivable(principal: Principal, scopes: readonly Scope[]): void {
  const missing = scopes.find((scope) => !principal.scopes.has(scope));
  if (missing === undefined) return;
  throw new Forbidden(`A key gets only scopes that you hold, and you do not hold ${missing}: leave it out.`);
}

/** Refuses to change or rotate a key that holds more than the principal: with it, the principal would get more than it was given. */
export function requireNoMoreThan(principal: Principal, key: Pick<KeyRow, 'scopes'>): void {
  const missing = (key.scopes ?? SCOPES).find((scope) => !principal.scopes.has(scope));
  if (missing === undefined) return;
  throw new Forbidden(
    `This key has the scope ${missing}, which you do not hold: only who holds it may change or rotate the key.`,
  );
}

export const keyObject = (keyId: string): AuditEntry['object'] => ({ kind: 'api_key', id: typeId('key', keyId) });

/** What the audit log records of a key. Its reference and metadata are the tenant's own texts: they are left out. */
export function auditedKey({
  name,
  scopes,
  allowed_cidrs,
  expires_at,
}: Pick<KeyRow, 'name' | 'scopes' | 'allowed_cidrs' | 'expires_at'>): AuditedValues {
  return { name, scopes, allowed_cidrs, expires_at: expires_at?.toISOString() ?? null };
}
