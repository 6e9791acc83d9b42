import type { TenantStanding } from '@constancia/contracts';
import type { Tx } from '@constancia/persistence';
import { NotFound, TenantSuspended } from '@constancia/problem-json';

/** For credentials that are looked up only here. Throws TenantSuspended, and NotFound when the tenant is closed. */
export async function requireActive(tx: Pick<Tx, 'query'>, tenantId: string): Promise<void> {
  const [row] = await tx.query<{ standing: TenantStanding | null }>(
    'select platform_v1.tenant_standing($1) as standing',
    [tenantId],
  );
  if (row?.standing === 'suspended') throw new TenantSuspended();
  if (row?.standing === 'closed') throw new NotFound();
}
