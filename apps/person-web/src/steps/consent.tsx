import type { CaptureState } from '@constancia/contracts/capture';
import { Button, Notice, Tick, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import { OfferToUseKept } from '../keep/use-kept.tsx';
import { SkipStep, StepFrame } from '../screens/step-frame.tsx';
import { useSending } from '../session/use-sending.ts';
import { useSession } from '../session/session.tsx';
import { useText } from '../text/language.ts';

/** The text that is agreed to, in the language that the server has it in, and the person's yes to it. */
export function Consent({ state }: { state: CaptureState }) {
  const { text, locale } = useText();
  const { api } = useSession();
  const sending = useSending();
  const focus = useFocus();
  const [agreed, setAgreed] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const { consent } = state;
  if (consent === null) return null;
  const given = state.reuse?.status === 'given';

  const accept = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (sending.busy) return;
    setFault(agreed ? null : text.consent.missing);
    if (!agreed) return focus('agreed');
    const key = crypto.randomUUID();
    const { version } = consent;
    void sending.send(() => api.advance({ accepted: true, locale: consent.locale, version }, key));
  };
  return (
    <StepFrame
      state={state}
      title={text.consent.title}
      lead={(given ? text.kept.givenLead : text.consent.lead)(state.tenant.display_name)}
      sending={sending}
    >
      {given && <Notice tone="news">{text.kept.given}</Notice>}
      <form onSubmit={accept} noValidate>
        <section className="consent-text" tabIndex={0} aria-labelledby="consent-heading" lang={consent.locale}>
          <h2 id="consent-heading" lang={locale}>
            {text.consent.text}
          </h2>
          {consent.locale !== locale && (
            <div lang={locale}>
              <Notice tone="news">{text.consent.otherLanguage}</Notice>
            </div>
          )}
          {consent.text
            .split(/\n+/)
            .filter((line) => line.trim() !== '')
            .map((paragraph) => (
              <p key={paragraph}>{paragraph}</p>
            ))}
        </section>
        <Tick id="agreed" label={text.consent.accept} ticked={agreed} onTick={setAgreed} fault={fault} />
        <div className="actions">
          <Button look="primary" submit busy={sending.busy}>
            {text.consent.submit}
          </Button>
          <SkipStep state={state} sending={sending} />
        </div>
      </form>
      <OfferToUseKept state={state} sending={sending} />
    </StepFrame>
  );
}
