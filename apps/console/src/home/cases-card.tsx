import { Facts } from '@constancia/web';
import { Link } from '@tanstack/react-router';
import { useRecord } from '../member/queries.ts';
import { Loaded } from '../parts/loaded.tsx';
import { useHomeText } from './text/language.ts';

const SHOWN = 5;

/** Cases that somebody has to decide, those that are overdue first. */
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
        {({ by_status: counts, unassigned }) => {
          const count = (status: string): number => counts[status] ?? 0;
          const toDecide = count('open') + count('in_review') + count('escalated');
          return (
            <Facts
              pairs={[
                [words.cases.open, <strong className="figure">{number(toDecide)}</strong>],
                [
                  words.cases.waiting,
                  <Link to="/cases" search={{ status: 'pending_approval' }}>
                    {number(count('pending_approval'))}
                  </Link>,
                ],
                [words.cases.unassigned, number(unassigned)],
              ]}
            />
          );
        }}
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
