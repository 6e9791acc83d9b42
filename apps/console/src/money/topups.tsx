import { getRouteApi, Link } from '@tanstack/react-router';
import { useRecords } from '../member/queries.ts';
import { momentsOf } from '../text/bogota-days.ts';
import { Filter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useMoneyText } from './text/language.ts';
import { TopUpButton } from './topup-dialog.tsx';
import { type TopupRow, TopupStatus } from './topup-parts.tsx';

const route = getRouteApi('/money/topups');

/** Top-ups, newest first, with a filter in the address. */
export function Topups() {
  const { text, words, number, pesos, clock } = useMoneyText();
  const { lang: _, ...values } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useRecords<TopupRow>(['topups', values], ({ platform }, cursor) =>
    platform.GET('/v1/billing/topups', {
      params: { query: { cursor, limit: 100, ...momentsOf(values), status: values.status as TopupRow['status'] } },
    }),
  );
  return (
    <>
      <PageHead title={words.topups.title} lead={words.topups.lead}>
        <TopUpButton />
      </PageHead>
      <Filter
        values={values}
        onValues={(next) => void navigate({ search: next })}
        fields={[
          {
            name: 'status',
            label: words.topups.status,
            options: [['', text.all], ...Object.entries(words.topups.statuses)],
          },
          { name: 'from', type: 'date', label: words.from },
          { name: 'to', type: 'date', label: words.to },
        ]}
      />
      <RecordTable
        caption={words.topups.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.topups.empty}
        columns={[
          {
            title: words.topups.created,
            of: ({ id, created_at: at }) => (
              <Link to="/money/topups/$id" params={{ id }}>
                {clock(at)}
              </Link>
            ),
          },
          { title: words.topups.status, of: (topup) => <TopupStatus of={topup} /> },
          { title: words.topups.pays, of: ({ amount_cop: amount }) => pesos(amount) },
          { title: words.topups.gets, of: ({ amount_credits: credits }) => words.credits(number(credits)) },
          { title: words.topups.bundle, of: ({ bundle }) => bundle ?? '–' },
        ]}
      />
    </>
  );
}
