import type { components } from '@constancia/sdk/generated/platform';
import { Field, useAnnounce } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useQueryClient } from '@tanstack/react-query';
import { useCall } from '../member/queries.ts';
import { changesOf } from '../parts/changes-of.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { type MemberRow, RoleField } from './member-parts.tsx';
import { useTeamText } from './text/language.ts';

type Changes = components['schemas']['ChangeMemberBody'];

const LIST = ['members'];

/** What is asked about a member. */
export interface AskedOfMember {
  what: 'change' | 'suspend' | 'resume' | 'resend' | 'remove';
  member: MemberRow;
}

interface MemberDialogProps {
  asked: AskedOfMember;
  onClose: () => void;
}

export function MemberDialog({ asked: { what, member }, onClose }: MemberDialogProps) {
  const { text, words } = useTeamText();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const call = useCall();
  const params = { path: { id: member.id } };
  const patch = async (body: Changes, news: string): Promise<void> => {
    await call(({ platform }) => platform.PATCH('/v1/members/{id}', { params, body }), LIST);
    announce(news);
  };
  switch (what) {
    case 'change':
      return (
        <FormDialog
          title={words.member.changeTitle}
          submit={text.save}
          problems={words.member.ownerProblems}
          onClose={onClose}
          onSubmit={(form) => patch(memberChangesOf(form, member), words.member.changed)}
        >
          <Field name="name" label={words.members.name} maxLength={120} defaultValue={member.name} required />
          <RoleField role={member.role} />
          <Field
            name="locale"
            label={words.members.locale}
            options={Object.entries(text.languages)}
            defaultValue={member.locale}
          />
        </FormDialog>
      );
    case 'suspend':
      return (
        <FormDialog
          title={words.member.suspend}
          lead={words.member.suspendLead}
          submit={words.member.suspend}
          problems={words.member.ownerProblems}
          dangerous
          onClose={onClose}
          onSubmit={() => patch({ status: 'suspended' }, words.member.suspended)}
        />
      );
    case 'resume':
      return (
        <FormDialog
          title={words.member.resume}
          lead={words.member.resumeLead}
          submit={words.member.resume}
          onClose={onClose}
          onSubmit={() => patch({ status: 'active' }, words.member.resumed)}
        />
      );
    case 'resend':
      return (
        <FormDialog
          title={words.member.resend}
          lead={words.member.resendLead}
          submit={words.member.resend}
          problems={words.member.resendProblems}
          onClose={onClose}
          onSubmit={async () => {
            await call(({ platform }) => platform.POST('/v1/members/{id}/resend', { params }), LIST);
            announce(words.member.resent);
          }}
        />
      );
    case 'remove':
      return (
        <FormDialog
          title={words.member.removeTitle}
          lead={words.member.removeLead}
          submit={words.member.remove}
          problems={words.member.ownerProblems}
          dangerous
          onClose={onClose}
          onSubmit={async () => {
            await call(({ platform }) => platform.DELETE('/v1/members/{id}', { params }));
            announce(words.member.removed);
            await navigate({ to: '/team/members' });
            queries.removeQueries({ queryKey: LIST });
          }}
        />
      );
  }
}

function memberChangesOf(form: FormData, member: MemberRow): Changes {
  const name = String(form.get('name')).trim();
  const role = form.get('role') as MemberRow['role'];
  const locale = form.get('locale') as MemberRow['locale'];
  return changesOf({ name, role, locale }, member);
}
