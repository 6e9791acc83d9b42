import type { Tenant } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';

/**
 * Refuses a tenant id in the path that is not the caller's own: 404, the same for another tenant's id, an unknown one and a
 * malformed one.
 */
export function requireOwnTenant(caller: Tenant, pathId: string): void {
  if (pathId.toLowerCase() !== caller.id) throw new NotFound();
}
