import { Button, Notice, Screen, useSecondsUntil } from '@constancia/web';
import { useState } from 'react';
import { useJourney } from '../journey/journey.tsx';
import { useLanguage } from '../text/language.ts';

/** Nothing is known yet. */
export function Loading() {
  const { text } = useLanguage();
  return (
    <div className="sheet loading" role="status">
      <span className="spinner" aria-hidden="true" />
      <p>{text.page.loading}</p>
    </div>
  );
}

/** Never issued, expired, voided or replaced: the service does not tell which, and neither can this page. */
export function Unknown() {
  const { text } = useLanguage();
  const { api } = useJourney();
  const [asked, setAsked] = useState<'no' | 'asking' | 'yes' | 'failed'>('no');
  const ask = async (): Promise<void> => {
    setAsked('asking');
    try {
      await api.newLink();
      setAsked('yes');
    } catch {
      setAsked('failed');
    }
  };
  return (
    <Screen sign="stop" title={text.unknown.title} lead={text.unknown.lead}>
      <p>{text.unknown.help}</p>
      {asked === 'yes' ? (
        <Notice tone="good">
          <p role="status">{text.unknown.mailed}</p>
        </Notice>
      ) : (
        <>
          <p>{text.unknown.sealed}</p>
          {asked === 'failed' && <Notice tone="error">{text.notices.unreachable}</Notice>}
          <div className="actions">
            <Button busy={asked === 'asking'} onPress={() => void ask()}>
              {text.unknown.newLink}
            </Button>
          </div>
        </>
      )}
    </Screen>
  );
}

/** The link reached somebody else, who has just said so. */
export function NotMeThanks() {
  const { text } = useLanguage();
  return <Screen sign="done" title={text.notMe.thanks} lead={text.notMe.stopped} />;
}

export function Offline() {
  const { text } = useLanguage();
  return <TryAgain {...text.offline} />;
}

/** The link works, but not at present. */
export function Unavailable() {
  const { text } = useLanguage();
  return <TryAgain {...text.unavailable} />;
}

function TryAgain({ title, lead }: { title: string; lead: string }) {
  const { text } = useLanguage();
  const { reload } = useJourney();
  return (
    <Screen sign="stop" title={title} lead={lead}>
      <div className="actions">
        <Button look="primary" onPress={() => void reload()}>
          {text.page.retry}
        </Button>
      </div>
    </Screen>
  );
}

export function Crowded({ until }: { until: number }) {
  const { text } = useLanguage();
  const seconds = useSecondsUntil(until);
  return (
    <Screen sign="wait" title={text.crowded.title} lead={text.crowded.lead}>
      <p role="timer">{text.crowded.wait(seconds)}</p>
    </Screen>
  );
}
