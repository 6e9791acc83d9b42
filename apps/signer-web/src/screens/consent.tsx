import { Button, Notice, Screen, Tick, useFocus } from '@constancia/web';
import { type SyntheticEvent, useEffect, useState } from 'react';
import type { SignState } from '../api/sign-state.ts';
import { Decline } from '../journey/decline.tsx';
import { useJourney } from '../journey/journey.tsx';
import { Progress } from '../journey/progress.tsx';
import { FailureNotice, useWaitSeconds } from '../journey/failure-notice.tsx';
import { dateAndTime } from '../text/dates.ts';
import { useLanguage } from '../text/language.ts';
import { subjectOf } from '../text/subject.ts';

/** What was sent, by whom, and whether the reader agrees to sign without paper. */
export function Consent({ state, onLook }: { state: SignState; onLook: () => void }) {
  const { text, locale } = useLanguage();
  const focus = useFocus();
  const { api, attempt } = useJourney();
  const [agreed, setAgreed] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const waitSeconds = useWaitSeconds();
  const { envelope, consent } = state;
  const { version, sha256 } = consent;
  useEffect(() => setAgreed(false), [sha256]); // another text asks for another yes

  const accept = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (busy || waitSeconds > 0) return;
    setFault(agreed ? null : text.consent.missing);
    if (!agreed) return focus('agreed');
    setBusy(true);
    const refused = await attempt(() => api.consent(consent.locale, version));
    setBusy(false);
    if (refused !== null) setFault(text.notices.notAccepted);
  };

  return (
    <>
      <Progress state={state} step="consent" />
      <Screen title={text.consent.title} lead={text.consent.lead(envelope.tenant.display_name, subjectOf(state, text))}>
        {envelope.message && (
          <figure className="message">
            <figcaption>{text.consent.message}</figcaption>
            <blockquote>{envelope.message}</blockquote>
          </figure>
        )}
        <div className="actions small">
          <Button onPress={onLook}>{text.consent.look}</Button>
        </div>
        <p>{text.consent.why}</p>
        <form onSubmit={(event) => void accept(event)} noValidate>
          <section className="consent-text" tabIndex={0} aria-labelledby="consent-heading" lang={consent.locale}>
            <h2 id="consent-heading" lang={locale}>
              {text.consent.text}
            </h2>
            {consent.locale !== locale && <Notice tone="news">{text.consent.otherLanguage}</Notice>}
            {paragraphs(consent.text).map((paragraph, index) => (
              <p key={index}>{paragraph}</p>
            ))}
          </section>
          <Tick id="agreed" label={text.consent.accept} ticked={agreed} onTick={setAgreed} fault={fault} />
          <FailureNotice />
          <div className="actions">
            <Button look="primary" submit busy={busy} waiting={waitSeconds > 0}>
              {text.consent.submit}
            </Button>
          </div>
        </form>
        <p className="help">
          {text.consent.until(dateAndTime(envelope.expires_at, locale))} {text.page.personal}
        </p>
        <Decline state={state} />
      </Screen>
    </>
  );
}

const paragraphs = (text: string): string[] => text.split(/\n+/).filter((line) => line.trim() !== '');
