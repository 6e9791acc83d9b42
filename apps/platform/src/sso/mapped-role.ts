import type { Role } from '@constancia/contracts';
import type { RoleMap } from './sso.entity.ts';

/** Somebody whose groups stand for several roles gets the first of these. */
const PRECEDENCE = [
  'admin',
  'supervisor',
  'analyst',
  'developer',
  'sender',
  'billing',
  'auditor',
] as const satisfies Exclude<Role, 'owner'>[];

/** The role that a claim stands for: a group, or a list of groups. Null when none of them is in the map. */
export function mappedRole(claim: unknown, map: RoleMap): Exclude<Role, 'owner'> | null {
  const groups: unknown[] = Array.isArray(claim) ? claim : [claim];
  const roles = new Set(
    groups.flatMap((group) => (typeof group === 'string' && Object.hasOwn(map, group) ? [map[group]] : [])),
  );
  return PRECEDENCE.find((role) => roles.has(role)) ?? null;
}
