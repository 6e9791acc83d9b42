import { Button, Facts } from '@constancia/web';
import { useState } from 'react';
import { callConsole } from '../api/console-host.ts';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useText } from '../text/language.ts';
import { useSignedIn } from '../member/member.tsx';
import { OwnPasskeys } from './own-passkeys.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** Who is signed in, how they sign in, and in which browsers. */
export function Account() {
  const { text, clock, roleOf } = useText();
  const { view, leave } = useSignedIn();
  const [error, setError] = useState<unknown>(null);
  const [leaving, setLeaving] = useState(false);
  const { member, tenant, session } = view;

  const signOut = (): void => {
    setLeaving(true);
    callConsole('DELETE', '')
      .then(() => leave('signed-out'), setError)
      .finally(() => setLeaving(false));
  };

  return (
    <>
      <PageHead title={text.account.title}>
        <Button busy={leaving} onPress={signOut}>
          {text.account.signOut}
        </Button>
      </PageHead>
      {error !== null && <Failure error={error} />}
      <Facts
        pairs={[
          [text.account.name, member.name],
          [text.account.email, member.email],
          [text.account.role, roleOf(member.role)],
          [text.account.tenant, `${tenant.name} (${tenant.slug})`],
          [text.account.environment, text.environments[tenant.environment] ?? tenant.environment],
          [text.account.until, clock(session.expires_at)],
        ]}
      />
      <OwnPasskeys />
      <OwnSessions />
    </>
  );
}
