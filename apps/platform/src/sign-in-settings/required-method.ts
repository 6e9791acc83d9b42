import { AuditLog, changedValues } from '@constancia/auth';
import type { Principal } from '@constancia/http';
import type { Tx } from '@constancia/persistence';
import { Forbidden, StateConflict } from '@constancia/problem-json';
import { MemberSession } from '../members/member-session.entity.ts';
import { type RequiredMethod, SignInSettingsRow } from './sign-in-settings.entity.ts';

/** The method that the tenant requires; null: none. */
export async function requiredMethodOf(tx: Tx, tenantId: string): Promise<RequiredMethod | null> {
  const row = await tx.manager.findOneBy(SignInSettingsRow, { tenant_id: tenantId });
  return row?.required_method ?? null;
}

/** Throws Forbidden. */
export function requireOwner(principal: Principal): void {
  if (principal.kind === 'member' && principal.role === 'owner') return;
  throw new Forbidden('Only a member with the role owner, signed in to the console, may change how members sign in.');
}

/**
 * Requires a method, or none: for PUT /v1/sign-in-settings, and `enforce` of PUT /v1/sso. A trigger ends the sessions that do not meet it.
 * Needs lockTenant and requireOwner. Throws StateConflict when nobody could be sure to sign in afterwards.
 */
export async function setRequiredMethod(
  tx: Tx,
  principal: Principal,
  required_method: RequiredMethod | null,
  origin: string,
): Promise<void> {
  const { id } = principal.tenant;
  if (required_method === 'passkey') await requireOwnPasskey(tx, principal);
  if (required_method === 'sso') await requireProvider(tx, id);
  const before = { required_method: await requiredMethodOf(tx, id) };
  await tx.query(
    `insert into platform.sign_in_settings (tenant_id, required_method) values ($1, $2)
     on conflict (tenant_id) do update set required_method = excluded.required_method`,
    [id, required_method],
  );
  const object = { kind: 'sign_in_settings', id: null };
  const values = changedValues(before, { required_method });
  await AuditLog.record(tx, { principal, action: 'sign_in_settings.changed', object, ...values, origin });
}

async function requireOwnPasskey(tx: Tx, { sessionId, tenant }: Principal): Promise<void> {
  const session = await tx.manager.findOneBy(MemberSession, { id: sessionId as string, tenant_id: tenant.id });
  if (session?.method === 'passkey') return;
  throw new StateConflict(
    'Sign in with your own passkey before you require passkeys: else you could lock yourself out.',
  );
}

/** Owners are exempt, so that they cannot lock themselves out. */
async function requireProvider(tx: Tx, tenantId: string): Promise<void> {
  const [row] = await tx.query('select 1 from platform.sso where tenant_id = $1', [tenantId]);
  if (row !== undefined) return;
  throw new StateConflict('Set up your identity provider with PUT /v1/sso before you require it.');
}
