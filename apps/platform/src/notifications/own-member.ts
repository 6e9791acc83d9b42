import type { Principal } from '@constancia/http';
import { Forbidden } from '@constancia/problem-json';

/** The member who calls. Throws Forbidden. */
export function ownMember({ kind, id, tenant }: Principal): { tenant_id: string; member_id: string } {
  if (kind !== 'member') throw new Forbidden('Only a member has notifications: present a member token.');
  return { tenant_id: tenant.id, member_id: id };
}
