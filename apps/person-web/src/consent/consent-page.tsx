import type { ConsentState } from '@constancia/contracts/consent';
import { Button, Frame, Notice, Screen, TenantHead, useSecondsUntil } from '@constancia/web';
import { useEffect, useState } from 'react';
import type { ConsentLink, ReadState } from '../api/consent-api.ts';
import { Decide } from './decide.tsx';
import { End, type EndOfRequest, Gone } from './end.tsx';
import { Identify } from './identify.tsx';
import type { Refusing } from './refuse-buttons.tsx';
import { Refuse } from './refuse.tsx';
import { useText } from './text/language.ts';
import { type Requests, useLinkRequest } from '../session/use-link-request.ts';

interface ConsentPageProps {
  /** Null: the address holds no token. */
  link: ConsentLink | null;
  /** In a frame: it is over for the tenant too. */
  isOver?: boolean;
  onEnd?: () => void;
}

/** Everything is in the memory of this component: a page that is loaded again asks the server what it may show. */
export function ConsentPage({ link, isOver = false, onEnd }: ConsentPageProps) {
  const { text } = useText();
  const [gone, setGone] = useState(link === null);
  const [end, setEnd] = useState<EndOfRequest | null>(null);
  const [tenant, setTenant] = useState<ConsentState['tenant'] | null>(null);
  useEffect(() => {
    document.title = text.page.name;
  }, [text]);
  const endWith = (ended: EndOfRequest): void => {
    setEnd(ended);
    onEnd?.();
  };
  if (end === null && (gone || isOver || link === null)) {
    // Without the tenant: it looks like a link that never existed.
    return (
      <Frame>
        <Gone isOver={isOver} />
      </Frame>
    );
  }
  return (
    <Frame head={tenant && <TenantHead label={text.page.from} tenant={tenant} />}>
      {end !== null ? (
        <End {...end} isOver={isOver} />
      ) : (
        link !== null && <Request link={link} onTenant={setTenant} onGone={() => setGone(true)} onEnd={endWith} />
      )}
    </Frame>
  );
}

interface RequestProps {
  link: ConsentLink;
  /** Who asks is known. */
  onTenant: (tenant: ConsentState['tenant']) => void;
  onGone: () => void;
  onEnd: (end: EndOfRequest) => void;
}

/** A request that can be answered. */
function Request({ link, onTenant, onGone, onEnd }: RequestProps) {
  const { locale, sentenceOf } = useText();
  const requests = useLinkRequest(onGone);
  const [read, setRead] = useState<ReadState | null>(null);
  const [refusing, setRefusing] = useState<Refusing | null>(null);
  const expired = useSecondsUntil(read?.endsAt ?? null) === 0 && read !== null && Date.now() >= read.endsAt;

  const load = (): Promise<void> =>
    requests.run('load', async () => {
      const now = await link.state(locale);
      setRead(now);
      onTenant(now.state.tenant);
    });
  useEffect(() => {
    // The server writes the labels and the text that is agreed to.
    if (read?.state.locale !== locale) void load();
  }, [locale, read?.state.locale]);
  useEffect(() => {
    if (expired) onGone();
  }, [expired]);

  if (read === null) return <Loading requests={requests} onAgain={() => void load()} />;
  const { state, endsAt } = read;
  const tenant = state.tenant.display_name;
  if (refusing !== null) {
    return (
      <Refuse
        how={refusing}
        link={link}
        state={state}
        onGone={onGone}
        onBack={() => setRefusing(null)}
        onEnd={({ redirect_to }) =>
          onEnd({ how: refusing === 'decline' ? 'declined' : 'reported', tenant, redirect_to })
        }
      />
    );
  }
  const shared = { link, state, endsAt, onGone, onRefuse: setRefusing };
  return (
    <>
      {requests.error !== null && <Notice tone="error">{sentenceOf(requests.error)}</Notice>}
      {state.step === 'identify' ? (
        <Identify {...shared} onProved={setRead} />
      ) : (
        <Decide {...shared} onApproved={({ redirect_to }) => onEnd({ how: 'approved', tenant, redirect_to })} />
      )}
    </>
  );
}

function Loading({ requests: { error, busy }, onAgain }: { requests: Requests; onAgain: () => void }) {
  const { text, sentenceOf } = useText();
  if (error === null) {
    return (
      <p className="loading" role="status">
        {text.loading}
      </p>
    );
  }
  return (
    <Screen sign="wait" title={text.page.name} lead={sentenceOf(error)}>
      <div className="actions">
        <Button look="primary" busy={busy === 'load'} onPress={onAgain}>
          {text.again}
        </Button>
      </div>
    </Screen>
  );
}
