import { type Role, ROLE_SCOPES, ROLES } from '@constancia/contracts/scopes';
import type { components } from '@constancia/sdk/generated/platform';
import { Field, State } from '@constancia/web';
import { useMay, useSignedIn } from '../member/member.tsx';
import { useTeamText } from './text/language.ts';

export type MemberRow = components['schemas']['MemberView'];

const KINDS = { invited: 'wait', active: 'good', suspended: 'bad' } as const;

export function MemberStatus({ of: { status, invitation_ends_at: ends } }: { of: MemberRow }) {
  const { words } = useTeamText();
  if (ends !== null && Date.parse(ends) < Date.now()) return <State kind="bad">{words.members.invitationEnded}</State>;
  return <State kind={KINDS[status]}>{words.members.statuses[status]}</State>;
}

/** Whether the caller may change a member; the API decides. */
export function useMayChange(): (member: Pick<MemberRow, 'role'>) => boolean {
  const may = useMay();
  const { member: self } = useSignedIn().view;
  return ({ role }) => may('members:write') && (role !== 'owner' || self.role === 'owner');
}

/** The roles that the caller may give: those whose scopes they have, and `owner` as an owner. */
export function RoleField({ role: chosen = 'auditor' }: { role?: Role }) {
  const { words, roleOf } = useTeamText();
  const may = useMay();
  const mayChange = useMayChange();
  const roles = ROLES.filter((role) => mayChange({ role }) && ROLE_SCOPES[role].every(may));
  return (
    <Field
      name="role"
      label={words.members.role}
      hint={words.members.roleHint}
      defaultValue={chosen}
      options={roles.map((role) => [role, `${roleOf(role)}: ${words.roleTexts[role]}`] as const)}
    />
  );
}
