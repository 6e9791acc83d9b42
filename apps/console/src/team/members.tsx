import { ROLES } from '@constancia/contracts/scopes';
import { Button, Field, useAnnounce } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRecords } from '../member/queries.ts';
import { Filter } from '../parts/filter.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useMay, useSignedIn } from '../member/member.tsx';
import { type MemberRow, MemberStatus, RoleField } from './member-parts.tsx';
import { useTeamText } from './text/language.ts';

const route = getRouteApi('/team/members');

/** The people of the tenant. What is changed of one is on their own page. */
export function Members() {
  const { text, words, roleOf, clock } = useTeamText();
  const { member: self } = useSignedIn().view;
  const may = useMay();
  const { lang: _, ...values } = route.useSearch();
  const navigate = route.useNavigate();
  const [inviting, setInviting] = useState(false);
  const query = useRecords<MemberRow>(['members', values], ({ platform }, cursor) =>
    platform.GET('/v1/members', {
      params: {
        query: {
          cursor,
          limit: 100,
          role: values.role as MemberRow['role'],
          status: values.status as MemberRow['status'],
        },
      },
    }),
  );
  return (
    <>
      <PageHead title={words.members.title} lead={words.members.lead}>
        {may('members:write') && (
          <Button look="primary" onPress={() => setInviting(true)}>
            {words.members.invite}
          </Button>
        )}
      </PageHead>
      <Filter
        values={values}
        onValues={(next) => void navigate({ search: next })}
        fields={[
          {
            name: 'role',
            label: words.members.role,
            options: [['', text.all], ...ROLES.map((each) => [each, roleOf(each)] as const)],
          },
          {
            name: 'status',
            label: words.members.status,
            options: [['', text.all], ...Object.entries(words.members.statuses)],
          },
        ]}
      />
      <RecordTable
        caption={words.members.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.members.empty}
        columns={[
          {
            title: words.members.name,
            wide: true,
            of: ({ id, name }) => (
              <span>
                <Link to="/team/members/$id" params={{ id }}>
                  {name}
                </Link>{' '}
                {id === self.id && <small>({words.members.you})</small>}
              </span>
            ),
          },
          { title: words.members.email, of: ({ email }) => email, wide: true, width: 'minmax(0, 1.6fr)' },
          { title: words.members.role, of: ({ role: each }) => roleOf(each) },
          { title: words.members.status, of: (member) => <MemberStatus of={member} /> },
          {
            title: words.members.joined,
            of: ({ activated_at: at }) => (at === null ? words.members.notJoined : clock(at)),
          },
        ]}
      />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
    </>
  );
}

function InviteDialog({ onClose }: { onClose: () => void }) {
  const { text, words } = useTeamText();
  const announce = useAnnounce();
  const call = useCall();
  return (
    <FormDialog
      title={words.members.invite}
      lead={words.members.inviteLead}
      submit={words.members.invite}
      problems={words.members.inviteProblems}
      onClose={onClose}
      onSubmit={async (form, idempotencyKey) => {
        const textOf = (name: string): string => String(form.get(name) ?? '').trim();
        const params = { header: { 'Idempotency-Key': idempotencyKey } };
        const body = {
          email: textOf('email'),
          name: textOf('name'),
          role: textOf('role') as MemberRow['role'],
          ...(textOf('locale') !== '' && { locale: textOf('locale') as MemberRow['locale'] }),
        };
        await call(({ platform }) => platform.POST('/v1/members', { params, body }), ['members']);
        announce(words.members.invited);
      }}
    >
      <Field name="email" label={words.members.email} maxLength={254} required />
      <Field name="name" label={words.members.name} hint={words.members.nameHint} maxLength={120} required />
      <RoleField />
      <Field
        name="locale"
        label={words.members.locale}
        options={[['', words.members.localeOfTenant], ...Object.entries(text.languages)]}
      />
    </FormDialog>
  );
}
