import { AuditLog, changedValues } from '@constancia/auth';
import type { Role, SsoFailure } from '@constancia/contracts';
import { mailedTextProblem } from '@constancia/http';
import { uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Not } from 'typeorm';
import { Member } from '../members/member.entity.ts';
import { MAX_MEMBERS, memberObject } from '../members/members.ts';
import { type Account, mayProvision } from './account.ts';
import { mappedRole } from './mapped-role.ts';
import type { Sso } from './sso.entity.ts';

const MAX_NAME = 120;
const SYSTEM = 'single sign-on';

/** A member who may sign in, and what the audit log is to record once nothing else of the transaction is left to do. */
export interface Admitted {
  member: Member;
  record: () => Promise<void>;
}

/** What an account of the provider is in the tenant: a member, with the role of its groups, or why not. Needs lockTenant. */
export async function admitAccount(tx: Tx, sso: Sso, account: Account, origin: string): Promise<Admitted | SsoFailure> {
  const [found] = await tx.query<Member>(
    'select * from platform.member where tenant_id = $1 and lower(email) = lower($2)',
    [sso.tenant_id, account.email],
  );
  const role = sso.role_map === null ? undefined : mappedRole(account.groups, sso.role_map);
  const [holder] = await tx.manager.findBy(Member, {
    tenant_id: sso.tenant_id,
    sso_subject: account.subject,
    ...(found !== undefined && { id: Not(found.id) }),
  });
  // Another person got the address, or this person another address: somebody of the tenant has to say who is who.
  if (holder !== undefined) return 'other_account';
  return found === undefined
    ? addMember(tx, sso, account, role, origin)
    : changeMember(tx, sso, found, account, role, origin);
}

async function changeMember(
  tx: Tx,
  sso: Sso,
  found: Member,
  account: Account,
  mapped: Role | null | undefined,
  origin: string,
): Promise<Admitted | SsoFailure> {
  if (found.status === 'suspended') return 'suspended';
  if (found.sso_subject !== null && !found.sso_subject.equals(account.subject)) return 'other_account';
  const role = found.role === 'owner' || mapped === undefined ? found.role : mapped;
  if (role === null) return 'no_role';
  const joins = found.status === 'invited';
  const columns = {
    role,
    status: 'active' as const,
    activated_at: found.activated_at ?? new Date(),
    sso_subject: account.subject,
    sso_only: found.sso_only || joins,
  };
  await tx.manager.update(Member, { id: found.id, tenant_id: sso.tenant_id }, columns);
  const member = { ...found, ...columns };
  if (role !== found.role) await mailOwners(tx, 'role_changed', sso, member);
  const record = async (): Promise<void> => {
    const { before, after } = changedValues(audited(found), audited(member));
    if (Object.keys(after).length === 0) return;
    const principal = { tenantId: sso.tenant_id, system: SYSTEM };
    const object = memberObject(member);
    await AuditLog.record(tx, { principal, action: 'member.changed', object, before, after, origin });
  };
  return { member, record };
}

async function addMember(
  tx: Tx,
  sso: Sso,
  account: Account,
  role: Role | null | undefined,
  origin: string,
): Promise<Admitted | SsoFailure> {
  if (role === undefined || !mayProvision(account.email)) return 'not_invited';
  if (role === null) return 'no_role';
  const members = await tx.manager.find(Member, { where: { tenant_id: sso.tenant_id }, take: MAX_MEMBERS });
  if (members.length >= MAX_MEMBERS) return 'too_many_members';
  const now = new Date();
  const member: Member = {
    id: uuidv7(),
    tenant_id: sso.tenant_id,
    email: account.email,
    name: nameOf(account),
    role,
    status: 'active',
    locale: 'es-CO',
    created_by: actorOf(sso),
    created_at: now,
    activated_at: now,
    sso_subject: account.subject,
    invitation_ends_at: null,
    sso_only: true,
  };
  await tx.manager.insert(Member, member);
  await mailOwners(tx, 'member_added', sso, member);
  const record = async (): Promise<void> => {
    const principal = { tenantId: sso.tenant_id, system: SYSTEM };
    const object = memberObject(member);
    await AuditLog.record(tx, { principal, action: 'member.provisioned', object, after: { role }, origin });
  };
  return { member, record };
}

const audited = ({ role, status }: Member) => ({ role, status });

/** As trails and mails show it. */
const actorOf = ({ issuer }: Sso): string => `SSO (${new URL(issuer).hostname.slice(0, 100)})`;

/** What the provider calls the person, if it may stand in a mail; else what is before the @. */
function nameOf({ name, email }: Account): string {
  const fits = name !== null && name !== '' && name.length <= MAX_NAME && mailedTextProblem(name) === null;
  return fits ? name : email.slice(0, email.lastIndexOf('@'));
}

async function mailOwners(
  tx: Tx,
  kind: 'member_added' | 'role_changed',
  sso: Sso,
  { name, role }: Member,
): Promise<void> {
  const detail = JSON.stringify({ name, role, by: actorOf(sso) });
  await tx.query('select platform.mail_owners($1, $2, $3)', [sso.tenant_id, kind, detail]);
}
