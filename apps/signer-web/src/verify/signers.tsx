import { roleTitle } from '@constancia/kernel/role-title';
import type { Locale } from '../api/sign-state.ts';
import { dateAndTime } from '../text/dates.ts';
import type { PublicEnvelope } from './answers.ts';
import { Check, Cross, Pause } from './marks.tsx';
import { WORDS } from './language.ts';

const MARKS: Record<string, typeof Check> = { signed: Check, declined: Cross };

/** Who signs, with masked names, and how far each is. */
export function Signers({ envelope, language }: { envelope: PublicEnvelope; language: Locale }) {
  const words = WORDS[language];
  return (
    <section aria-labelledby="signers">
      <h2 id="signers">{words.signers}</h2>
      <ul className="signers">
        {envelope.signers.map(({ name_masked, role, status, signed_at }) => {
          const Mark = MARKS[status] ?? Pause;
          return (
            <li key={role}>
              <Mark />
              <div>
                <strong>{name_masked ?? words.unnamed}</strong>{' '}
                <span className="role">{roleTitle(role, language)}</span>
                <p>
                  {signed_at ? (
                    <time dateTime={signed_at}>{words.signedOn(dateAndTime(signed_at, language))}</time>
                  ) : (
                    (words.signerStatuses[status] ?? status)
                  )}
                </p>
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
