import { roleTitle } from '@constancia/kernel/role-title';
import type { Locale } from '../api/sign-state.ts';
import { dateAndTime } from '../text/dates.ts';
import type { PublicEnvelope } from './answers.ts';
import { linksHold } from './chain.ts';
import { Check, Cross } from './marks.tsx';
import { WORDS } from './language.ts';

/** What happened, event by event, and whether the public links hold together. */
export function Trail({ envelope, language }: { envelope: PublicEnvelope; language: Locale }) {
  const words = WORDS[language];
  const { trail, trail_head } = envelope;
  const whole = linksHold(trail, trail_head);
  return (
    <section aria-labelledby="trail">
      <h2 id="trail">{words.trail}</h2>
      <p className={whole ? 'links' : 'links broken'}>
        {whole ? <Check /> : <Cross />} {whole ? words.trailWhole(trail.length) : words.trailBroken}
      </p>
      {envelope.status === 'sealed' && <p className="help">{words.trailExplained}</p>}
      <details className="history">
        <summary>{words.trailShow(trail.length)}</summary>
        <ol className="trail">
          {trail.map(({ seq, type, at, role, hash }) => (
            <li key={seq}>
              <p>
                <strong>{words.events[type] ?? type}</strong>{' '}
                {role && <span className="role">{roleTitle(role, language)}</span>}
              </p>
              <p className="help">
                <time dateTime={at}>{dateAndTime(at, language)}</time>
              </p>
              <p className="hash">
                <span>{words.hash}</span> <code>{hash}</code>
              </p>
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}
