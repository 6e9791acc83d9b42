import type { Scope } from '@constancia/contracts';
import { Forbidden } from '@constancia/problem-json';
import type { Principal } from '../request/principal.ts';
import type { RouteFacts } from '../routes/route-facts.ts';

/** What a key in its grace no longer may, whatever it was given. */
const SCOPES_LOST_IN_GRACE: readonly Scope[] = ['keys:write', 'members:write'];

const OWNERS_ONLY =
  'Only members with the role owner may do this. An API key needs every scope that the operation names.';

/** Throws Forbidden, which names the scope, for a principal without any scope, or without all scopes, that the route needs. */
export function checkRequiredScope(
  principal: Principal,
  { scopes = [], everyScope = false, allowInGrace = false, ownersOnly = false }: RouteFacts,
): void {
  if (ownersOnly && principal.kind === 'member' && principal.role !== 'owner') throw new Forbidden(OWNERS_ONLY);
  if (scopes.length === 0) return;
  const suffice = (some: readonly Scope[]) => (everyScope ? some.length === scopes.length : some.length > 0);
  const held = scopes.filter((scope) => principal.scopes.has(scope));
  if (!suffice(held))
    throw new Forbidden(missing(principal, everyScope ? lacking(scopes, held).join(' and ') : scopes.join(' or ')));
  if (!principal.inGrace || allowInGrace) return;
  const kept = held.filter((scope) => !SCOPES_LOST_IN_GRACE.includes(scope));
  if (suffice(kept)) return;
  throw new Forbidden(
    `This key was replaced and is in its grace period, in which it has lost the scope ${lacking(held, kept).join(' and ')}: use the current key.`,
  );
}

function lacking(scopes: readonly Scope[], held: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => !held.includes(scope));
}

function missing({ kind, role }: Principal, wanted: string): string {
  if (kind === 'key') return `This operation needs the scope ${wanted}, which this API key does not have.`;
  return `This operation needs the scope ${wanted}, which the role ${role ?? 'of this member'} does not have.`;
}
