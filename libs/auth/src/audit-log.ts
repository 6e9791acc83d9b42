import type { AuditAction } from '@constancia/contracts';
import type { Principal, Tenant } from '@constancia/http';
import { canonicalJson, type IdPrefix, type Json, typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';

/** Values before or after a change. No personal data and no secret: nothing is ever taken out of the log. */
export type AuditedValues = Record<string, Json | undefined>;

/** A principal, as far as the log names it. */
type AuditPrincipal = Pick<Principal, 'kind' | 'id' | 'name'> & { tenant: Pick<Tenant, 'id'> };

/** A change that was made in the name of a tenant. */
export interface AuditEntry {
  /** Who made it; without a principal: the tenant, and what acted, for people. */
  principal: AuditPrincipal | { tenantId: string; system: string };
  /** The person for whom a key acts, as X-Actor names them. */
  onBehalfOf?: string | undefined;
  action: AuditAction;
  /** What was changed: its kind, and its id as the API shows it; null where a tenant has one of them. */
  object: { kind: string; id: string | null };
  before?: AuditedValues;
  after?: AuditedValues;
  /** The address that the request came from; null for work without a request. */
  origin: string | null;
}

const ID_PREFIX = { key: 'key', member: 'mbr' } as const satisfies Record<Principal['kind'], IdPrefix>;

/** The id of a principal as the audit log and the API show it. */
export function principalId({ kind, id }: Pick<Principal, 'kind' | 'id'>): string {
  return typeId(ID_PREFIX[kind], id);
}

/**
 * The tenant's audit log: an entry commits with the change that it records, or neither does. Entries of one tenant wait for each other
 * from here to their commit, so it is the last statement of its transaction: one that held it and then waited for a row (a debit locks
 * the tenant's balance) would make every other entry wait, and two of them could wait for each other.
 */
export const AuditLog = {
  async record(tx: Tx, { principal, onBehalfOf, action, object, before, after, origin }: AuditEntry): Promise<void> {
    const data = canonicalJson({ before, after });
    const entry = { ...actorOf(principal, onBehalfOf), object_kind: object.kind, object_id: object.id, origin, data };
    const tenantId = 'system' in principal ? principal.tenantId : principal.tenant.id;
    await tx.query('select platform_v1.record_audit($1, $2, $3)', [tenantId, action, JSON.stringify(entry)]);
  },
};

function actorOf(principal: AuditEntry['principal'], onBehalfOf: string | undefined) {
  if ('system' in principal) return { actor_kind: 'system', actor_id: null, actor_name: principal.system };
  const { kind, name } = principal;
  return { actor_kind: kind, actor_id: principalId(principal), actor_name: name, on_behalf_of: onBehalfOf ?? null };
}

/** The members of which the values differ, before and after a change. */
export function changedValues<Values extends AuditedValues>(
  before: Values,
  after: Values,
): { before: AuditedValues; after: AuditedValues } {
  const changed = Object.keys(after).filter(
    (key) => canonicalJson(before[key] ?? null) !== canonicalJson(after[key] ?? null),
  );
  const of = (values: Values): AuditedValues => Object.fromEntries(changed.map((key) => [key, values[key] ?? null]));
  return { before: of(before), after: of(after) };
}
