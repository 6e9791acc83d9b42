import { Button, Facts } from '@constancia/web';
import { callConsole } from '../api/console-host.ts';
import { Failure } from '../parts/failure.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useAction } from '../parts/use-action.ts';
import { useText } from '../text/language.ts';
import { useSignedIn } from '../member/member.tsx';
import { NotificationSettings } from '../notifications/notification-settings.tsx';
import { OwnPasskeys } from './own-passkeys.tsx';
import { OwnSessions } from './own-sessions.tsx';

/** Who is signed in, how they sign in, and in which browsers. */
export function Account() {
  const { text, clock, roleOf } = useText();
  const { view, leave } = useSignedIn();
  const { busy, error, run } = useAction();
  const { member, tenant, session } = view;

  const signOut = (): Promise<void> =>
    run('sign-out', async () => {
      await callConsole('DELETE', '');
      leave('signed-out');
    });

  return (
    <>
      <PageHead title={text.account.title}>
        <Button busy={busy !== null} onPress={() => void signOut()}>
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
      <NotificationSettings />
      <OwnPasskeys />
      <OwnSessions />
    </>
  );
}
