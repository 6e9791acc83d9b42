import { InvalidApiKey, NotFound, TenantClosing, TenantSuspended, Unauthorized } from '@constancia/problem-json';
import type { Principal } from '../request/principal.ts';
import type { Request } from '../request/request-state.ts';
import type { RouteFacts } from '../routes/route-facts.ts';

/** For people who are no part of the tenant: signers, and subjects of sessions. */
const NOT_AVAILABLE = 'This link is not available at the moment. Try again later, or ask the company that sent it.';

/**
 * Refuses every credential of a suspended tenant (TenantSuspended), and of a closed one as if it had been revoked. Of a tenant that is
 * being closed, a principal reads and uses the routes that are marked (WhileClosing), else TenantClosing; people with a link go on.
 */
export function checkTenantStanding({ constancia: { principal, holder, route } }: Pick<Request, 'constancia'>): void {
  if (principal !== undefined) checkPrincipal(principal, route);
  if (holder?.standing === 'suspended') throw new TenantSuspended(NOT_AVAILABLE);
  if (holder?.standing === 'closed') throw new NotFound();
}

function checkPrincipal({ kind, tenant: { standing } }: Principal, { method, whileClosing }: RouteFacts): void {
  if (standing === 'suspended') throw new TenantSuspended();
  if (standing === 'closed') throw kind === 'key' ? new InvalidApiKey() : new Unauthorized();
  if (standing === 'closing' && method !== 'GET' && method !== 'HEAD' && !whileClosing) throw new TenantClosing();
}
