import { Button, Facts } from '@constancia/web';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useMay } from '../member/member.tsx';
import { type AskedOfMember, MemberDialog } from './member-dialog.tsx';
import { type MemberRow, MemberStatus, useMayChange } from './member-parts.tsx';
import { MemberPasskeys } from './member-passkeys.tsx';
import { MemberSessions } from './member-sessions.tsx';
import { useTeamText } from './text/language.ts';

const route = getRouteApi('/team/members/$id');

/** One member: who they are, what they may do, and where they are signed in. */
export function Member() {
  const { text, words, roleOf, clock } = useTeamText();
  const { id } = route.useParams();
  const may = useMay();
  const mayChange = useMayChange();
  const [asked, setAsked] = useState<AskedOfMember | null>(null);
  const query = useRecord(['members', id], ({ platform }) =>
    platform.GET('/v1/members/{id}', { params: { path: { id } } }),
  );
  const member = query.data;
  const changeable = member !== undefined && mayChange(member);
  return (
    <>
      <PageHead title={words.member.title} of={id}>
        {changeable &&
          actionsOf(member).map((what) => (
            <Button key={what} onPress={() => setAsked({ what, member })}>
              {words.member[what]}
            </Button>
          ))}
      </PageHead>
      <Loaded query={query}>
        {(shown) => (
          <>
            <Facts
              pairs={[
                [words.members.name, shown.name],
                [words.members.email, shown.email],
                [words.members.role, `${roleOf(shown.role)}: ${words.roleTexts[shown.role]}`],
                [words.members.status, <MemberStatus key="status" of={shown} />],
                [words.members.locale, text.languages[shown.locale]],
                [words.member.invitedAt, clock(shown.created_at)],
                [words.member.invitedBy, shown.created_by],
                [words.member.invitationEnds, shown.invitation_ends_at && clock(shown.invitation_ends_at)],
                [words.members.joined, shown.activated_at && clock(shown.activated_at)],
                ['ID', <code key="id">{shown.id}</code>],
              ]}
            />
            {may('members:write') && !changeable && <p className="help">{words.member.ownersOnly}</p>}
            <MemberSessions of={shown} />
            <MemberPasskeys of={shown} />
          </>
        )}
      </Loaded>
      {asked !== null && <MemberDialog asked={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function actionsOf({ status }: MemberRow): AskedOfMember['what'][] {
  if (status === 'invited') return ['change', 'resend', 'remove'];
  return ['change', status === 'active' ? 'suspend' : 'resume', 'remove'];
}
