import { TenantSuspended } from '@constancia/problem-json';
import type { Request } from '../request/request-state.ts';

/** For people who are no part of the tenant: signers, and subjects of sessions. */
const NOT_AVAILABLE = 'This link is not available at the moment. Try again later, or ask the company that sent it.';

/** Refuses every credential of a suspended tenant. Throws TenantSuspended. */
export function checkTenantStanding({ constancia: { principal, holder } }: Pick<Request, 'constancia'>): void {
  if (principal?.tenant.standing === 'suspended') throw new TenantSuspended();
  if (holder?.standing === 'suspended') throw new TenantSuspended(NOT_AVAILABLE);
}
