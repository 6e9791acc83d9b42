import type { Scope } from '@constancia/contracts';
import { Forbidden } from '@constancia/problem-json';
import type { Principal } from '../request/principal.ts';
import type { RouteFacts } from '../routes/route-facts.ts';

/** What a key in its grace no longer may, whatever it was given. */
const SCOPES_LOST_IN_GRACE: readonly Scope[] = ['keys:write', 'members:write'];

/** Throws Forbidden, which names the scope, for a principal without any scope that the route accepts. */
export function checkRequiredScope(principal: Principal, { scopes = [], allowInGrace = false }: RouteFacts): void {
  if (scopes.length === 0) return;
  const held = scopes.filter((scope) => principal.scopes.has(scope));
  if (held.length === 0) throw new Forbidden(missing(principal, scopes));
  if (!principal.inGrace || allowInGrace) return;
  if (held.some((scope) => !SCOPES_LOST_IN_GRACE.includes(scope))) return;
  throw new Forbidden(
    `This key was replaced and is in its grace period, in which it has lost the scope ${held.join(' or ')}: use the current key.`,
  );
}

function missing({ kind, role }: Principal, scopes: readonly Scope[]): string {
  const wanted = scopes.join(' or ');
  if (kind === 'key') return `This operation needs the scope ${wanted}, which this API key does not have.`;
  return `This operation needs the scope ${wanted}, which the role ${role ?? 'of this member'} does not have.`;
}
