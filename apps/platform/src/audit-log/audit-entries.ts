import { Database, type Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import type { AuditEntryRow } from './audit-entry.entity.ts';

export interface AuditFilter {
  from?: Date | undefined;
  to?: Date | undefined;
  actor?: string | undefined;
  action?: string | undefined;
  object?: string | undefined;
}

interface AuditRange {
  /** The seq that the rows come after, in this order. */
  after?: number | undefined;
  order: 'asc' | 'desc';
  limit: number;
}

const EXPORT_PAGE = 1_000;

/** Reads a tenant's audit log. */
@Injectable()
export class AuditEntries {
  constructor(private readonly database: Database) {}

  read(tenantId: string, filter: AuditFilter, range: AuditRange): Promise<AuditEntryRow[]> {
    return this.database.tenant(tenantId, (tx) => auditEntries(tx, tenantId, filter, range));
  }

  /** Everything that was there at the beginning, oldest first. Entries are only ever added, so every page is of the same state. */
  async *pages(tenantId: string, filter: AuditFilter): AsyncGenerator<AuditEntryRow[]> {
    const [head] = await this.read(tenantId, {}, { order: 'desc', limit: 1 });
    let after = 0;
    while (head !== undefined && after < head.seq) {
      const rows = await this.read(tenantId, filter, { after, order: 'asc', limit: EXPORT_PAGE });
      yield rows.filter(({ seq }) => seq <= head.seq);
      if (rows.length < EXPORT_PAGE) return;
      after = rows.at(-1)?.seq ?? head.seq;
    }
  }
}

/** Entries of a range, in the caller's transaction. */
export function auditEntries(
  tx: Tx,
  tenantId: string,
  filter: AuditFilter,
  range: AuditRange,
): Promise<AuditEntryRow[]> {
  const [sql, params] = entriesSql(tenantId, filter, range);
  return tx.query<AuditEntryRow>(sql, params);
}

/** Times never go back along a chain, so a period is a range of seq. */
function entriesSql(tenantId: string, filter: AuditFilter, { after, order, limit }: AuditRange): [string, unknown[]] {
  const params: unknown[] = [tenantId];
  const where = ['tenant_id = $1'];
  const add = (condition: (name: string) => string, value: unknown) => {
    if (value !== undefined) where.push(condition(`$${params.push(value)}`));
  };
  const firstAt = (name: string) =>
    `(select coalesce((select b.seq from platform.audit_entry b where b.tenant_id = $1 and b.at >= ${name} order by b.at, b.seq limit 1), 2147483647))`;
  add((name) => `seq ${order === 'asc' ? '>' : '<'} ${name}`, after);
  add((name) => `seq >= ${firstAt(name)}`, filter.from);
  add((name) => `seq < ${firstAt(name)}`, filter.to);
  add((name) => `actor_id = ${name}`, filter.actor);
  add((name) => `type = ${name}`, filter.action);
  add((name) => `object_id = ${name}`, filter.object);
  const sql = `select * from platform.audit_entry where ${where.join(' and ')} order by seq ${order} limit $${params.push(limit)}`;
  return [sql, params];
}
