import { Link } from '@tanstack/react-router';
import { SESSIONS } from '../identity/shared/use-session.ts';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { useHomeText } from './text/language.ts';

const SHOWN = 5;

/** Verifications of identity that a person has to decide, also as the second one. */
export function ReviewsCard() {
  const { words, clock } = useHomeText();
  const sessions = useRecord([...SESSIONS, 'home'], ({ platform }) =>
    platform.GET('/v1/flows/sessions', { params: { query: { status: 'manual_review', limit: SHOWN } } }),
  );
  return (
    <section className="card">
      <h2>{words.reviews.title}</h2>
      <Loaded query={sessions}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.reviews.none}</p>
          ) : (
            <>
              <h3>{words.reviews.waiting}</h3>
              <ul className="links">
                {data.map(({ id, external_ref, pending_approval, created_at }) => (
                  <li key={id}>
                    <Link to="/identity/reviews/$id" params={{ id }}>
                      {external_ref ?? id}
                    </Link>{' '}
                    <small>{pending_approval === true ? words.reviews.second : clock(created_at)}</small>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      <Link to="/identity/reviews">{words.reviews.all}</Link>
    </section>
  );
}
