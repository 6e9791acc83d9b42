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

/** Rows of several units for one insert; `places` (from 1) says whose each row is. */
interface WriteGroup {
  table: string;
  columns: string[];
  places: number[];
  rows: Record<string, unknown>[];
}

/** One insert per table and set of columns. Every row gets its unit's tenant. */
export function groupWrites(units: WorkUnit[]): WriteGroup[] {
  const groups = new Map<string, WriteGroup>();
  units.forEach((unit, nth) => {
    for (const { table, rows } of unit.writes) {
      for (const row of rows) {
        const columns = Object.keys(row).sort();
        const id = `${table} ${columns.join(' ')}`;
        const group = groups.get(id) ?? { table, columns, places: [], rows: [] };
        groups.set(id, group);
        group.places.push(nth + 1);
        group.rows.push(row);
      }
    }
  });
  return [...groups.values()];
}
