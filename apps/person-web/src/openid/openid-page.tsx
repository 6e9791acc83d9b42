import type { OpenIdEnd } from '@constancia/contracts/openid';
import { Button, Frame, Notice, Screen, TenantHead, useSecondsUntil } from '@constancia/web';
import { useEffect, useState } from 'react';
import { type ReadSignIn, SignInLink } from '../api/openid-api.ts';
import { useLinkRequest } from '../session/use-link-request.ts';
import { Agree } from './agree.tsx';
import { SignIn } from './sign-in.tsx';
import { useText } from './text/language.ts';

const link = new SignInLink(`${location.pathname.replace(/\/$/, '')}/`);

/** Everything is in the memory of this component: a page that is loaded again asks the server what it may show. */
export function OpenIdPage() {
  const { text, locale, sentenceOf } = useText();
  const [gone, setGone] = useState(false);
  const [going, setGoing] = useState(false);
  const [read, setRead] = useState<ReadSignIn | null>(null);
  const { busy, error, run } = useLinkRequest(() => setGone(true));
  const expired = useSecondsUntil(read?.endsAt ?? null) === 0 && read !== null && Date.now() >= read.endsAt;

  const load = (): Promise<void> => run('load', async () => setRead(await link.state(locale)));
  useEffect(() => {
    document.title = text.page.name;
  }, [text]);
  useEffect(() => {
    // The server writes the labels and the text that is agreed to.
    if (read?.state.locale !== locale) void load();
  }, [locale, read?.state.locale]);
  useEffect(() => {
    // A page that the browser kept, and shows again on Back, would say that it still leads somewhere.
    const shown = ({ persisted }: PageTransitionEvent): void => {
      if (persisted) location.reload();
    };
    addEventListener('pageshow', shown);
    return () => removeEventListener('pageshow', shown);
  }, []);

  const onward = ({ redirect_to }: OpenIdEnd): void => {
    if (!/^https?:$/.test(new URL(redirect_to).protocol)) return;
    setGoing(true);
    location.replace(redirect_to);
  };
  const onGone = (): void => setGone(true);

  if ((gone || expired) && !going) {
    return (
      <Frame>
        <Screen sign="stop" title={text.gone.title} lead={text.gone.lead} />
      </Frame>
    );
  }
  if (read === null && error !== null) {
    return (
      <Frame>
        <Screen sign="wait" title={text.page.name} lead={sentenceOf(error)}>
          <div className="actions">
            <Button look="primary" busy={busy === 'load'} onPress={() => void load()}>
              {text.again}
            </Button>
          </div>
        </Screen>
      </Frame>
    );
  }
  if (read === null || going) {
    return (
      <Frame>
        <p className="loading" role="status">
          {read === null ? text.loading : text.going(read.state.returns_to)}
        </p>
      </Frame>
    );
  }
  const shared = { link, state: read.state, onGone, onEnd: onward };
  return (
    <Frame head={<TenantHead label={text.page.from} tenant={read.state.tenant} />}>
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      {read.state.step === 'sign_in' ? <SignIn {...shared} /> : <Agree {...shared} />}
    </Frame>
  );
}
