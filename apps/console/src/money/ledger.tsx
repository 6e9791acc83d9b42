import type { components } from '@constancia/sdk/generated/platform';
import { Button, Notice } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../member/member.tsx';
import { allPages, useCall, useRecord, useRecords } from '../member/queries.ts';
import { momentsOf } from '../text/bogota-days.ts';
import { csvOf } from '../parts/csv/csv.ts';
import { Failure } from '../parts/failure.tsx';
import { Filter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useAction } from '../parts/use-action.ts';
import { archivedWithin } from './archived-until.ts';
import { useMoneyText } from './text/language.ts';

type Entry = components['schemas']['LedgerEntryView'];

const route = getRouteApi('/money/ledger');
const PAGE = 100;
/** A file of more is asked for by fewer days. */
const MOST_IN_FILE = 10_000;

/** Every change of the balance, with dates in the address. */
export function Ledger() {
  const { words, number, clock } = useMoneyText();
  const { lang: _, ...days } = route.useSearch();
  const navigate = route.useNavigate();
  const call = useCall();
  const { busy, error, run } = useAction();
  const [cut, setCut] = useState(false);
  const moments = momentsOf(days);
  const query = useRecords<Entry>(['ledger', days], ({ platform }, cursor) =>
    platform.GET('/v1/billing/ledger', { params: { query: { cursor, limit: PAGE, ...moments } } }),
  );
  const newest = useRecord(['ledger', 'newest'], ({ platform }) =>
    platform.GET('/v1/billing/ledger', { params: { query: { limit: 1 } } }),
  );
  const archived = archivedWithin(newest.data?.archived_until, moments.from);

  const download = async (): Promise<void> => {
    const page = (cursor: string | undefined) =>
      call(({ platform }) =>
        platform.GET('/v1/billing/ledger', { params: { query: { cursor, limit: PAGE, ...moments } } }),
      );
    const { data: entries, next_cursor } = await allPages<Entry>(page, MOST_IN_FILE);
    setCut(next_cursor !== null);
    const head = ['seq', 'created_at', 'kind', 'amount', 'balance_after', 'ref_type', 'ref_id'] as const;
    const rows = entries.map((entry) => head.map((name) => entry[name]));
    saveFile(`${[words.ledger.file, days.from, days.to].filter(Boolean).join('-')}.csv`, csvOf(head, rows));
  };

  return (
    <>
      <PageHead title={words.ledger.title} lead={words.ledger.lead}>
        <Button busy={busy !== null} onPress={() => void run('csv', download)}>
          {words.csv}
        </Button>
      </PageHead>
      {error !== null && <Failure error={error} />}
      {cut && <Notice tone="warning">{words.ledger.cut(number(MOST_IN_FILE))}</Notice>}
      {archived !== null && <Notice tone="news">{words.ledger.archived(clock(archived))}</Notice>}
      <Filter
        values={days}
        onValues={(values) => void navigate({ search: values })}
        fields={[
          { name: 'from', type: 'date', label: words.from },
          { name: 'to', type: 'date', label: words.to },
        ]}
      />
      <RecordTable
        caption={words.ledger.title}
        query={query}
        keyOf={({ id }) => id}
        empty={words.ledger.empty}
        columns={[
          { title: words.ledger.at, of: ({ created_at: at }) => clock(at) },
          { title: words.ledger.kind, of: ({ kind }) => words.ledger.kinds[kind] ?? kind },
          { title: words.ledger.amount, of: ({ amount }) => signed(amount, number) },
          { title: words.ledger.after, of: ({ balance_after: after }) => number(after) },
          {
            title: words.ledger.object,
            wide: true,
            width: 'minmax(0, 2fr)',
            of: (entry) => <EntryObject of={entry} />,
          },
        ]}
      />
    </>
  );
}

const signed = (amount: number, number: (value: number) => string): string =>
  amount > 0 ? `+${number(amount)}` : number(amount);

/** Where what an entry paid for is shown, by the prefix of its id. */
const PAGES = {
  top: { to: '/money/topups/$id', scope: 'billing:read' },
  scr: { to: '/screenings/$id', scope: 'compliance:read' },
  env: { to: '/signing/envelopes/$id', scope: 'signing:read' },
  sig: { to: '/signing/documents/$id', scope: 'signing:read' },
} as const;

function EntryObject({ of: { ref_type: kind, ref_id: id } }: { of: Entry }) {
  const { words } = useMoneyText();
  const may = useMay();
  const name = words.ledger.objects[kind] ?? kind;
  const page = PAGES[id.split('_')[0] as keyof typeof PAGES];
  if (page === undefined || !may(page.scope)) return `${name} ${id}`;
  return (
    <Link to={page.to} params={{ id }}>
      {name} <small>…{id.slice(-6)}</small>
    </Link>
  );
}
