import { Frame, Screen, useLeavePage } from '@constancia/web';
import { useCallback, useEffect, useState } from 'react';
import { ApiError } from './api/api-error.ts';
import { actFor, callConsole, type SessionView } from './api/console-host.ts';
import { Failure } from './parts/failure.tsx';
import { Loading } from './parts/loading.tsx';
import { Enrol } from './sign-in/enrol.tsx';
import { SignIn, type SignInNews } from './sign-in/sign-in.tsx';
import { isInvitation } from './sign-in/link-token.ts';
import { SignInWithLink } from './sign-in/sign-in-with-link.tsx';
import { SignInWithSso } from './sign-in/sign-in-with-sso.tsx';
import type { SsoAddress } from './sign-in/sso-address.ts';
import { useText } from './text/language.ts';
import { Workspace } from './workspace/workspace.tsx';

type State =
  | { name: 'loading' }
  | { name: 'failed'; error: unknown }
  | { name: 'link'; token: string }
  | { name: 'sso'; address: SsoAddress }
  | { name: 'sign-in'; news: SignInNews | null }
  | { name: 'signed-in'; view: SessionView };

interface AppProps {
  linkToken: string | null;
  /** Of the address of a single sign-on. */
  sso: SsoAddress | null;
}

function stateAtFirst({ linkToken, sso }: AppProps): State {
  if (linkToken !== null) return { name: 'link', token: linkToken };
  return sso === null ? { name: 'loading' } : { name: 'sso', address: sso };
}

/** The console: who is signed in, or the way in. Nothing of it is kept in the browser but the cookie, which no script can read. */
export function App({ linkToken, sso }: AppProps) {
  const { text } = useText();
  const leavePage = useLeavePage();
  const [state, setState] = useState<State>(() => stateAtFirst({ linkToken, sso }));
  const show = useCallback((view: SessionView) => {
    actFor(view.session.id);
    setState({ name: 'signed-in', view });
  }, []);
  const leave = useCallback(
    (news: 'ended' | 'signed-out' | 'passkey-added') => {
      actFor(null);
      leavePage();
      setState({ name: 'sign-in', news });
    },
    [leavePage],
  );
  const load = useCallback(() => {
    setState({ name: 'loading' });
    callConsole<SessionView>('GET', '').then(show, (error: unknown) =>
      setState(
        error instanceof ApiError && error.status === 401 ? { name: 'sign-in', news: null } : { name: 'failed', error },
      ),
    );
  }, [show]);
  useEffect(() => {
    if (linkToken === null && sso === null) load();
  }, [linkToken, sso, load]);
  useEffect(() => {
    const title = state.name === 'link' && isInvitation() ? text.link.invitedTitle : text.signIn.title;
    if (state.name !== 'signed-in') document.title = `${title} · Constancia`;
  }, [state.name, text]);

  switch (state.name) {
    case 'loading':
      return (
        <Frame>
          <Loading />
        </Frame>
      );
    case 'failed':
      return (
        <Frame>
          <Screen key="failed" sign="stop" title={text.failed}>
            <Failure error={state.error} onAgain={load} />
          </Screen>
        </Frame>
      );
    case 'link':
      return (
        <Frame>
          <SignInWithLink
            token={state.token}
            onSession={show}
            onCode={() => setState({ name: 'sign-in', news: null })}
            onRequired={(news) => setState({ name: 'sign-in', news })}
          />
        </Frame>
      );
    case 'sso':
      return (
        <Frame>
          <SignInWithSso address={state.address} onCode={() => setState({ name: 'sign-in', news: null })} />
        </Frame>
      );
    case 'sign-in':
      return (
        <Frame>
          <SignIn
            news={state.news}
            onSession={show}
            onSso={() => setState({ name: 'sso', address: { slug: '', failure: null } })}
          />
        </Frame>
      );
    case 'signed-in':
      if (state.view.session.access === 'enrol') {
        return <Enrol onAdded={() => leave('passkey-added')} onLeave={leave} />;
      }
      return <Workspace view={state.view} leave={leave} />;
  }
}
