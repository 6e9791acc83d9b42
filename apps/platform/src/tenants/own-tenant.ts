import type { Tenant } from '@constancia/http';
import { NotFound } from '@constancia/problem-json';
import { ApiParam } from '@nestjs/swagger';

/**
 * Refuses a tenant id in the path that is not the caller's own: 404, the same for another tenant's id, an unknown one and a
 * malformed one.
 */
export function requireOwnTenant(caller: Tenant, pathId: string): void {
  if (pathId.toLowerCase() !== caller.id) throw new NotFound();
}

/** Documents the path parameter that requireOwnTenant checks. */
export function ApiTenantId(): MethodDecorator {
  return ApiParam({
    name: 'id',
    description: 'The `tenant_id` of the caller.',
    schema: { type: 'string', format: 'uuid' },
  });
}
