import { Link } from '@tanstack/react-router';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { WAITING, WAITING_STATES } from '../parts/waiting-envelopes.ts';
import { useHomeText } from './text/language.ts';

const SHOWN = 5;

/** Envelopes that wait for their signers, the oldest first. */
export function EnvelopesCard() {
  const { words, number, clock } = useHomeText();
  const waiting = useRecord(['envelopes', 'home'], ({ signing }) =>
    signing.GET('/v1/envelopes', { params: { query: { status: [...WAITING_STATES], order: 'asc', limit: SHOWN } } }),
  );
  return (
    <section className="card">
      <h2>{words.envelopes.title}</h2>
      <Loaded query={waiting}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.envelopes.none}</p>
          ) : (
            <>
              <h3>{words.envelopes.oldest}</h3>
              <ul className="links">
                {data.map(({ id, subject, signers, expires_at: at }) => {
                  const signed = signers.filter(({ status }) => status === 'signed').length;
                  return (
                    <li key={id}>
                      <Link to="/signing/envelopes/$id" params={{ id }}>
                        {subject ?? words.envelopes.untitled}
                      </Link>{' '}
                      <small>{words.envelopes.progress(number(signed), number(signers.length), clock(at))}</small>
                    </li>
                  );
                })}
              </ul>
              <Link to="/signing/envelopes" search={{ status: WAITING }}>
                {words.envelopes.all}
              </Link>
            </>
          )
        }
      </Loaded>
    </section>
  );
}
