import { useAnnounce } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useListing } from '../member/queries.ts';
import { Filter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { type RecordColumn, RecordTable } from '../parts/record-table.tsx';
import { useMay, useSignedIn } from '../member/member.tsx';
import { AssignDialog } from './assign-dialog.tsx';
import { ASSIGNABLE, CaseDue, CasePriority, type CaseRow, CaseStatus } from './case-parts.tsx';
import { ChooseCases, MOST_AT_ONCE } from './choose-cases.tsx';
import { casesOf } from './listing.ts';
import { RowTick } from './row-tick.tsx';
import { useCaseText } from './text/language.ts';

const route = getRouteApi('/cases');

/** A day fits on one line. */
const DAY = '6.6rem';

/** The queue of cases. Its filter is in the address, but for what is searched: that may be a name. */
export function Cases() {
  const { text, words, dayOf, number } = useCaseText();
  const { member } = useSignedIn().view;
  const search = route.useSearch();
  const { lang: _, ...filter } = search;
  const navigate = route.useNavigate();
  const [q, setQ] = useState('');
  const query = useListing(casesOf(search, member, q));
  const may = useMay();
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [assigning, setAssigning] = useState<readonly CaseRow[] | null>(null);
  const announce = useAnnounce();
  const assignable = (query.data ?? []).filter(({ status: now }) => ASSIGNABLE.includes(now));
  const chosen = assignable.filter(({ id }) => ids.has(id)); // as they are listed now
  const choose = (cases: readonly CaseRow[]): void => setIds(new Set(cases.map(({ id }) => id)));
  const tick = (row: CaseRow, on: boolean): void => {
    const others = chosen.filter(({ id }) => id !== row.id);
    const isFull = on && others.length === MOST_AT_ONCE;
    if (isFull) announce(words.bulk.most(number(MOST_AT_ONCE)));
    choose(on && !isFull ? [...others, row] : others);
  };
  const choices = (texts: Record<string, string>, all = text.all): [string, string][] => [
    ['', all],
    ...Object.entries(texts),
  ];
  const tickColumn: RecordColumn<CaseRow> = {
    title: words.bulk.choose,
    width: '4rem',
    of: (row) =>
      ASSIGNABLE.includes(row.status) ? (
        <RowTick
          label={words.bulk.chooseOne(row.subject_name ?? row.subject_ref)}
          ticked={ids.has(row.id)}
          onTick={(on) => tick(row, on)}
        />
      ) : (
        '–'
      ),
  };
  return (
    <>
      <PageHead title={words.title} lead={words.lead} />
      <Filter
        values={{ ...filter, ...(q !== '' && { q }) }}
        onValues={({ q: searched = '', ...values }) => {
          setQ(searched);
          void navigate({ search: values });
        }}
        fields={[
          { name: 'q', label: words.search, placeholder: words.searchHint, maxLength: 200 },
          { name: 'whose', label: words.whose, options: choices({ me: words.mine }) },
          { name: 'status', label: words.status, options: choices(words.statuses) },
          { name: 'priority', label: words.priority, options: choices(words.priorities, text.allFeminine) },
          { name: 'list', label: words.list, options: choices(words.lists, text.allFeminine) },
          { name: 'overdue', label: words.overdue, options: choices(words.overdueOptions) },
        ]}
      />
      {may('compliance:cases') && (
        <ChooseCases {...{ assignable, chosen }} onChoose={choose} onAssign={() => setAssigning(chosen)} />
      )}
      <RecordTable
        caption={words.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.empty}
        columns={[
          ...(may('compliance:cases') ? [tickColumn] : []),
          {
            title: words.subject,
            wide: true,
            width: 'minmax(0, 1.6fr)',
            of: ({ id, subject_name, subject_ref }) => (
              <span>
                <Link to="/cases/$id" params={{ id }}>
                  {subject_name ?? words.unnamed}
                </Link>{' '}
                <small>{subject_ref}</small>
              </span>
            ),
          },
          { title: words.priority, of: (row) => <CasePriority of={row} />, width: '5.5rem' },
          { title: words.status, of: (row) => <CaseStatus of={row} />, width: '9.5rem' },
          {
            title: words.list,
            of: ({ list_hits }) => list_hits.map((code) => words.lists[code]).join(', ') || '–',
            width: 'minmax(0, 1.1fr)',
          },
          { title: words.assignee, of: ({ assignee }) => assignee ?? words.nobody, width: 'minmax(0, 1.1fr)' },
          { title: words.opened, of: ({ opened_at }) => dayOf(opened_at), width: DAY },
          { title: words.due, of: (row) => <CaseDue of={row} brief />, width: DAY },
        ]}
      />
      {assigning !== null && <AssignDialog cases={assigning} onDone={setIds} onClose={() => setAssigning(null)} />}
    </>
  );
}
