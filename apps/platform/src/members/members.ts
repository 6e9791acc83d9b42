import { type Role, ROLE_SCOPES } from '@constancia/contracts';
import type { Principal } from '@constancia/http';
import { typeId, uuidOf } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Forbidden, NotFound, StateConflict } from '@constancia/problem-json';
import { Member } from './member.entity.ts';

/** Who changes members, and the address that the request came from. */
export interface Caller {
  principal: Principal;
  origin: string;
}

/** Members that a tenant may have. */
export const MAX_MEMBERS = 500;

/** A member as the audit log names it. */
export function memberObject({ id }: Pick<Member, 'id'>): { kind: string; id: string } {
  return { kind: 'member', id: typeId('mbr', id) };
}

/** A member of the transaction's tenant by TypeID. Throws NotFound, for another tenant's too. */
export async function memberOf(tx: Tx, tenantId: string, id: string): Promise<Member> {
  const uuid = uuidOf('mbr', id);
  const member = uuid === null ? null : await tx.manager.findOneBy(Member, { id: uuid, tenant_id: tenantId });
  if (member === null) throw new NotFound('No such member.');
  return member;
}

/**
 * Refuses what the principal may not do with a role: owners are changed by owners alone, and nobody gives away a scope that they do not
 * hold. Throws Forbidden.
 */
export function requireMayAssign(principal: Principal, role: Role): void {
  if (role === 'owner') {
    if (principal.kind === 'member' && principal.role === 'owner') return;
    throw new Forbidden(
      'Only a member with the role owner, signed in to the console, may add, change or remove owners.',
    );
  }
  const missing = ROLE_SCOPES[role].find((scope) => !principal.scopes.has(scope));
  if (missing === undefined) return;
  throw new Forbidden(`The role ${role} has the scope ${missing}, which you do not have and cannot give.`);
}

/** Refuses to take away the last owner who can act. Throws StateConflict. Needs lockTenant. */
export async function requireAnotherOwner(tx: Tx, member: Member): Promise<void> {
  if (member.role !== 'owner') return;
  const owners = await tx.manager.findBy(Member, { tenant_id: member.tenant_id, role: 'owner' });
  const others = owners.filter(({ id, status }) => id !== member.id && status !== 'suspended');
  const enough = member.status === 'active' ? others.some(({ status }) => status === 'active') : others.length > 0;
  if (enough) return;
  throw new StateConflict('The tenant needs at least one owner who can act: make another member an owner first.');
}
