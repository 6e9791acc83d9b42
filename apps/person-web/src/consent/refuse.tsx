import type { ConsentEnd, ConsentState } from '@constancia/contracts/consent';
import { Button, Notice, Screen, Tick } from '@constancia/web';
import { useState } from 'react';
import type { ConsentLink } from '../api/consent-api.ts';
import type { Refusing } from './refuse-buttons.tsx';
import { useText } from './text/language.ts';
import { useLinkRequest } from '../session/use-link-request.ts';

interface RefuseProps {
  how: Refusing;
  link: ConsentLink;
  state: ConsentState;
  onEnd: (end: ConsentEnd) => void;
  onGone: () => void;
  onBack: () => void;
}

/** Ends the request without giving anything. A company learns of it only if a person who has shown who they are says so. */
export function Refuse({ how, link, state, onEnd, onGone, onBack }: RefuseProps) {
  const { text, sentenceOf } = useText();
  const { busy, error, run } = useLinkRequest(onGone);
  const [tells, setTells] = useState(false);
  const tenant = state.tenant.display_name;
  const reports = how === 'report';
  const submit = (): Promise<void> =>
    run('refuse', async () => onEnd(await (reports ? link.report() : link.decline(tells))));
  return (
    <Screen
      key={how}
      title={reports ? text.report.title : text.decline.title}
      lead={reports ? text.report.lead(tenant) : text.decline.lead}
    >
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      {!reports && state.step === 'decide' && (
        <>
          <Tick id="tell" label={text.decline.tell(tenant)} ticked={tells} onTick={setTells} required={false} />
          <p className="help">{text.decline.ifUnticked(tenant)}</p>
        </>
      )}
      <div className="actions">
        <Button look={reports ? 'danger' : 'primary'} busy={busy === 'refuse'} onPress={() => void submit()}>
          {reports ? text.report.submit : text.decline.submit}
        </Button>
        <Button onPress={onBack}>{text.decline.cancel}</Button>
      </div>
    </Screen>
  );
}
