import { State } from '@constancia/web';
import type { Dossier } from './case-parts.tsx';
import { useCaseText } from './text/language.ts';

type CaseEvent = Dossier['timeline'][number];

/** What happened, the newest first, and whether it is what was written. */
export function Timeline({ of: { timeline, chain_valid } }: { of: Dossier }) {
  const { words } = useCaseText();
  return (
    <section>
      <h2>
        {words.timeline}{' '}
        <State kind={chain_valid ? 'good' : 'bad'}>{chain_valid ? words.chainValid : words.chainBroken}</State>
      </h2>
      <CaseEvents events={timeline} />
    </section>
  );
}

/** The newest first. */
export function CaseEvents({ events }: { events: readonly CaseEvent[] }) {
  const { words, clock } = useCaseText();
  return (
    <ol className="timeline" reversed>
      {events.toReversed().map((event) => (
        <li key={event.seq}>
          <time dateTime={event.at}>{clock(event.at)}</time>{' '}
          <strong>{event.actor === 'system' ? words.system : event.actor}</strong> <EventText of={event} />
        </li>
      ))}
    </ol>
  );
}

/** What it was, and the words that somebody wrote. */
function EventText({ of: { type, data, to } }: { of: CaseEvent }) {
  const { words } = useCaseText();
  const textOf = (name: string): string | null => {
    const value = data[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const decision = textOf('decision') as keyof typeof words.decisions | null;
  const details = [
    type === 'assigned' && textOf('assignee'),
    decision !== null && words.decisions[decision],
    textOf('name'),
    (type === 'resolution_returned' || type === 'resolution_withdrawn') && words.statuses[to],
  ].filter((detail) => typeof detail === 'string');
  const written = textOf('body') ?? textOf('reason');
  return (
    <>
      {[words.events[type], ...details].join(' · ')}
      {written !== null && <blockquote>{written}</blockquote>}
    </>
  );
}
