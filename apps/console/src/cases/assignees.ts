import type { components } from '@constancia/sdk/generated/platform';
import { ROLE_SCOPES, type Scope } from '@constancia/contracts/scopes';

type Colleague = Pick<components['schemas']['MemberView'], 'name' | 'role'>;

/** In alphabetical order: members whose role may work on cases, and others who have some, such as users of another system. */
export function assigneeNames(holders: readonly string[], members: readonly Colleague[]): string[] {
  const names = new Set(holders);
  for (const { name } of members) names.delete(name);
  for (const { name, role } of members) if (mayHaveCases(role)) names.add(name);
  return [...names].sort((one, other) => one.localeCompare(other));
}

function mayHaveCases(role: Colleague['role']): boolean {
  const scopes: readonly Scope[] = ROLE_SCOPES[role];
  return scopes.includes('compliance:cases');
}
