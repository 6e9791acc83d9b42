import { Button, Frame, Notice, Screen, Unreachable } from '@constancia/web';
import { useCallback, useEffect, useState } from 'react';
import { Account } from './account.tsx';
import { Enrol } from './enrol.tsx';
import { ApiError, callConsole, type SessionView } from './session.ts';
import { SignIn, type SignInNews } from './sign-in.tsx';
import { SignInWithLink } from './sign-in-with-link.tsx';
import { useText } from './text/language.ts';

type State =
  | { name: 'loading' }
  | { name: 'failed'; error: unknown }
  | { name: 'link'; token: string }
  | { name: 'sign-in'; news: SignInNews | null }
  | { name: 'signed-in'; view: SessionView };

/** The console: who is signed in, or the way in. Nothing of it is kept in the browser but the cookie, which no script can read. */
export function App({ linkToken }: { linkToken: string | null }) {
  const { text, sentenceOf } = useText();
  const [state, setState] = useState<State>(
    linkToken === null ? { name: 'loading' } : { name: 'link', token: linkToken },
  );
  const show = useCallback((view: SessionView) => setState({ name: 'signed-in', view }), []);
  const leave = useCallback((news: 'ended' | 'signed-out') => setState({ name: 'sign-in', news }), []);
  const load = useCallback(() => {
    setState({ name: 'loading' });
    callConsole<SessionView>('GET', '').then(show, (error: unknown) =>
      setState(
        error instanceof ApiError && error.status === 401 ? { name: 'sign-in', news: null } : { name: 'failed', error },
      ),
    );
  }, [show]);
  useEffect(() => {
    if (linkToken === null) load();
  }, [linkToken, load]);
  useEffect(() => {
    document.title = `${state.name === 'signed-in' ? text.account.title : text.signIn.title} · Constancia`;
  }, [state.name, text]);

  switch (state.name) {
    case 'loading':
      return (
        <Frame>
          <p className="loading" role="status">
            {text.loading}
          </p>
        </Frame>
      );
    case 'failed':
      return (
        <Frame>
          <Screen key="failed" sign="stop" title={text.failed}>
            <Notice tone="error">
              {state.error instanceof Unreachable ? text.unreachable : sentenceOf(state.error)}
            </Notice>
            <div className="actions">
              <Button look="primary" onPress={load}>
                {text.again}
              </Button>
            </div>
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
    case 'sign-in':
      return (
        <Frame>
          <SignIn news={state.news} onSession={show} />
        </Frame>
      );
    case 'signed-in':
      if (state.view.session.access === 'enrol') {
        return <Enrol onAdded={() => setState({ name: 'sign-in', news: 'passkey-added' })} onLeave={leave} />;
      }
      return <Account view={state.view} onLeave={leave} />;
  }
}
