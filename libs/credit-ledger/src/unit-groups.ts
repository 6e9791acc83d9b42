import type { WorkUnit } from './work-unit.ts';

/** Units of one tenant wait for one lock: together, so that a busy balance costs others one wait and not one per unit. */
export function byTenant(units: WorkUnit[]): WorkUnit[][] {
  const tenants = new Map<string, WorkUnit[]>();
  for (const unit of units) tenants.set(unit.tenantId, [...(tenants.get(unit.tenantId) ?? []), unit]);
  return [...tenants.values()];
}

/** Units with a key that an earlier unit of the batch carries must wait for that one's answer. */
export function splitRepeatedKeys(units: WorkUnit[]): [first: WorkUnit[], repeated: WorkUnit[]] {
  const seen = new Set<string>();
  const first: WorkUnit[] = [];
  const repeated: WorkUnit[] = [];
  for (const unit of units) {
    const key = unit.idempotency && `${unit.tenantId} ${unit.idempotency.key}`;
    (key !== undefined && seen.has(key) ? repeated : first).push(unit);
    if (key !== undefined) seen.add(key);
  }
  return [first, repeated];
}

/** Rows of several units for one insert; `ords` says whose each row is. */
interface WriteGroup {
  table: string;
  columns: string[];
  ords: number[];
  rows: Record<string, unknown>[];
}

/** One insert per table and set of columns. Every row gets its unit's tenant. */
export function groupWrites(units: WorkUnit[]): WriteGroup[] {
  const groups = new Map<string, WriteGroup>();
  units.forEach((unit, ord) => {
    for (const { table, rows } of unit.writes) {
      for (const row of rows) {
        const owned = { ...row, tenant_id: unit.tenantId };
        const columns = Object.keys(owned).sort();
        const id = `${table} ${columns.join(' ')}`;
        const group = groups.get(id) ?? { table, columns, ords: [], rows: [] };
        groups.set(id, group);
        group.ords.push(ord);
        group.rows.push(owned);
      }
    }
  });
  return [...groups.values()];
}
