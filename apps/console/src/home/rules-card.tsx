import { Link } from '@tanstack/react-router';
import { useSignedIn } from '../member/member.tsx';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { useHomeText } from './text/language.ts';

const SHOWN = 5;

/** Drafts of rules that one person has published, and that wait for a second one. */
export function RulesCard() {
  const { words } = useHomeText();
  const { member } = useSignedIn().view;
  const drafts = useRecord(['validations', 'home'], ({ compliance }) =>
    compliance.GET('/v1/validations', { params: { query: { awaits_second_person: true, limit: SHOWN } } }),
  );
  return (
    <section className="card">
      <h2>{words.rules.title}</h2>
      <Loaded query={drafts}>
        {({ data }) =>
          data.length === 0 ? (
            <p>{words.rules.none}</p>
          ) : (
            <>
              <h3>{words.rules.waiting}</h3>
              <ul className="links">
                {data.map(({ id, code, version, published_first_by: first }) => (
                  <li key={id}>
                    <Link to="/rules/$id" params={{ id }}>
                      {words.rules.draft(code, String(version))}
                    </Link>{' '}
                    <small>{first === member.name ? words.rules.byYou : words.rules.by(first ?? '')}</small>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      <Link to="/rules">{words.rules.all}</Link>
    </section>
  );
}
