import { Facts } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { useHomeText } from './text/language.ts';

const SHOWN = 5;

/** Cases that are not decided, by state, and those that are overdue. */
export function CasesCard() {
  const { words, number, clock } = useHomeText();
  const stats = useRecord(['cases', 'stats'], ({ compliance }) => compliance.GET('/v1/cases/stats'));
  const overdue = useRecord(['cases', 'home'], ({ compliance }) =>
    compliance.GET('/v1/cases', { params: { query: { overdue: true, limit: SHOWN } } }),
  );
  return (
    <section className="card">
      <h2>{words.cases.title}</h2>
      <Loaded query={stats}>
        {({ by_status: counts }) => (
          <Facts
            pairs={Object.entries(words.cases.statuses).map(([status, name]) => [
              name,
              <Link
                to="/cases"
                search={{ status }}
                className={status === 'open' ? 'figure' : undefined}
                aria-label={`${name}: ${number(counts[status] ?? 0)}`}
              >
                {number(counts[status] ?? 0)}
              </Link>,
            ])}
          />
        )}
      </Loaded>
      <Loaded query={overdue}>
        {({ data }) =>
          data.length > 0 && (
            <>
              <h3>{words.cases.next}</h3>
              <ul className="links">
                {data.map(({ id, subject_name, subject_ref, due_at }) => (
                  <li key={id}>
                    <Link to="/cases/$id" params={{ id }}>
                      {subject_name ?? subject_ref}
                    </Link>{' '}
                    <small>{clock(due_at)}</small>
                  </li>
                ))}
              </ul>
            </>
          )
        }
      </Loaded>
      <Link to="/cases">{words.cases.all}</Link>
    </section>
  );
}
