import { Button, Screen, useHostPage } from '@constancia/web';
import { useEffect } from 'react';
import type { SignState } from '../api/sign-state.ts';
import { SaveLink } from '../document/save-link.tsx';
import { useJourney } from '../journey/journey.tsx';
import { dateAndTime } from '../text/dates.ts';
import { useLanguage } from '../text/language.ts';
import { subjectOf } from '../text/subject.ts';

interface OutcomeProps {
  state: SignState;
}

/** Others sign first. */
export function Waiting({ state }: OutcomeProps) {
  const { text, locale } = useLanguage();
  const { reload } = useJourney();
  const { envelope } = state;
  return (
    <Screen
      sign="wait"
      title={text.waiting.title}
      lead={text.waiting.lead(envelope.tenant.display_name, subjectOf(state, text))}
    >
      <p>{text.waiting.help}</p>
      <p className="help">{text.waiting.until(dateAndTime(envelope.expires_at, locale))}</p>
      <div className="actions">
        <Button onPress={() => void reload()}>{text.page.refresh}</Button>
      </div>
    </Screen>
  );
}

function SignedOn({ state }: OutcomeProps) {
  const { text, locale } = useLanguage();
  const at = state.signer.signed_at;
  return at ? <p>{text.signed.at(dateAndTime(at, locale))}</p> : null;
}

/** What was signed can be kept before the document is final. */
function Copy({ state, help }: OutcomeProps & { help: string }) {
  const { text } = useLanguage();
  if (!state.document.copy_available) return null;
  return (
    <>
      <div className="actions">
        <SaveLink look="secondary" of="copy">
          {text.signed.copy}
        </SaveLink>
      </div>
      <p className="help">{help}</p>
    </>
  );
}

/** This signer has signed; others have not. */
export function Signed({ state }: OutcomeProps) {
  const { text } = useLanguage();
  const { justSigned } = useJourney();
  return (
    <Screen sign="done" title={justSigned ? text.signed.now : text.signed.already} lead={text.signed.others}>
      <SignedOn state={state} />
      <Copy state={state} help={text.signed.copyHelp} />
      <p className="help">{text.signed.keep}</p>
    </Screen>
  );
}

export function Sealing({ state }: OutcomeProps) {
  const { text } = useLanguage();
  return (
    <Screen sign="wait" title={text.sealing.title} lead={text.sealing.lead}>
      <progress aria-label={text.sealing.title} />
      <SignedOn state={state} />
      <Copy state={state} help={text.sealing.copyHelp} />
      <p className="help">{text.sealing.keep}</p>
    </Screen>
  );
}

export function Sealed({ state }: OutcomeProps) {
  const { text } = useLanguage();
  const framed = useHostPage() !== null;
  const { setWish } = useJourney();
  useEffect(() => {
    if (!state.document.needs_authentication) setWish(null);
  }, [state.document.needs_authentication, setWish]);
  const { public_id: publicId } = state.envelope;
  return (
    <Screen sign="done" title={text.sealed.title} lead={text.sealed.lead}>
      <SignedOn state={state} />
      <div className="actions">
        {state.document.needs_authentication ? (
          <Button look="primary" onPress={() => setWish('document')}>
            {text.sealed.download}
          </Button>
        ) : (
          <SaveLink look="primary">{text.sealed.download}</SaveLink>
        )}
        {publicId && (
          <a
            className="button secondary"
            href={`/verify/${encodeURIComponent(publicId)}`}
            {...(framed && { target: '_blank', rel: 'noopener noreferrer' })}
          >
            {text.sealed.verify}
          </a>
        )}
      </div>
      {publicId && <p className="help">{text.sealed.verifyHelp}</p>}
    </Screen>
  );
}

export function Failed({ state }: OutcomeProps) {
  const { text } = useLanguage();
  return (
    <Screen sign="stop" title={text.failed.title} lead={text.failed.lead(state.envelope.tenant.display_name)}>
      <SignedOn state={state} />
    </Screen>
  );
}

export function DeclinedByYou({ state }: OutcomeProps) {
  const { text } = useLanguage();
  const { display_name: sender } = state.envelope.tenant;
  return <Screen sign="stop" title={text.declinedByYou.title} lead={text.declinedByYou.lead(sender)} />;
}

export function DeclinedByOther({ state }: OutcomeProps) {
  const { text } = useLanguage();
  const { display_name: sender } = state.envelope.tenant;
  return <Screen sign="stop" title={text.declinedByOther.title} lead={text.declinedByOther.lead(sender)} />;
}
