import { AuditLog } from '@constancia/auth';
import { typeId, uuidOf } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import type { Caller } from '../members/members.ts';
import { Passkey } from './passkey.entity.ts';

/** A passkey of a member by TypeID. Throws NotFound, for another member's too. */
export async function passkeyOf(tx: Tx, memberId: string, id: string): Promise<Passkey> {
  const uuid = uuidOf('psk', id);
  const passkey = uuid === null ? null : await tx.manager.findOneBy(Passkey, { id: uuid, member_id: memberId });
  if (passkey === null) throw new NotFound('No such passkey.');
  return passkey;
}

/** Removes a passkey, ends the sessions that it opened, and mails the member. Needs lockTenant. */
export async function removePasskey(tx: Tx, { principal, origin }: Caller, passkey: Passkey): Promise<void> {
  const { id, tenant_id, member_id, name } = passkey;
  await tx.manager.delete(Passkey, { id, tenant_id });
  await tx.query('select platform.mail_passkey_removed($1, $2, $3)', [tenant_id, member_id, name]);
  const object = { kind: 'passkey', id: typeId('psk', id) };
  await AuditLog.record(tx, { principal, action: 'member.passkey_removed', object, origin });
}
