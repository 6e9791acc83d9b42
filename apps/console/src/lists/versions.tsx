import type { components } from '@constancia/sdk/generated/compliance';
import { State } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useRecords } from '../member/queries.ts';
import { Filter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useListText } from './text/language.ts';

type Version = components['schemas']['ListVersionView'];

const route = getRouteApi('/lists/versions');
const KINDS = { active: 'good', superseded: 'wait', refused: 'bad' } as const;

/** Every import of a list: what it changed, and its effect on the subjects of the tenant. */
export function Versions() {
  const { words, clock, number } = useListText();
  const { list = 'OFAC', own } = route.useSearch();
  const navigate = route.useNavigate();
  const chosen = own === 'true' ? 'own' : list;
  const query = useRecords(['lists', 'versions', chosen], ({ compliance }, cursor) =>
    compliance.GET('/v1/lists/versions', {
      params: { query: { list: list as Version['list'], own: own === 'true', cursor, limit: 100 } },
    }),
  );
  return (
    <>
      <PageHead title={words.versions.title} of={list} lead={words.versions.lead} />
      <Filter
        values={{ list: chosen }}
        onValues={({ list: next = 'OFAC' }) =>
          void navigate({ search: next === 'own' ? { list: 'INTERNAL', own: 'true' } : { list: next } })
        }
        fields={[
          { name: 'list', label: words.list, options: [...Object.entries(words.lists), ['own', words.own] as const] },
        ]}
      />
      <RecordTable
        caption={words.versions.title}
        query={query}
        keyOf={({ version }) => version}
        empty={words.versions.empty}
        columns={[
          {
            title: words.version,
            wide: true,
            of: ({ version, status, refusal }) => (
              <span>
                {version} <State kind={KINDS[status]}>{words.versions.statuses[status]}</State>{' '}
                {refusal !== null && <small>{refusal}</small>}
              </span>
            ),
          },
          { title: words.imported, of: (row) => clock(row.imported_at) },
          { title: words.versions.by, wide: true, of: (row) => row.imported_by ?? words.versions.operator },
          { title: words.entries, width: '6rem', of: (row) => number(row.entries) },
          { title: words.versions.changes, wide: true, of: (row) => <ChangeCounts of={row} own={own} /> },
          { title: words.versions.subjects, wide: true, width: 'minmax(0, 1.5fr)', of: (row) => <Affected of={row} /> },
        ]}
      />
    </>
  );
}

function ChangeCounts({ of: version, own }: { of: Version; own: string | undefined }) {
  const { words, number } = useListText();
  if (version.status === 'refused') return <span>–</span>;
  const search = { list: version.list, version: version.version, ...(own !== undefined && { own }) };
  return (
    <span className="row-actions">
      {(['added', 'changed', 'removed'] as const).map((change) =>
        version[change] === 0 ? (
          <span key={change}>{words.versions.counts[change]('0')}</span>
        ) : (
          <Link key={change} to="/lists/changes" search={{ ...search, change }}>
            {words.versions.counts[change](number(version[change]))}
          </Link>
        ),
      )}
    </span>
  );
}

/** Whom the change concerned, as far as they were looked at. */
function Affected({ of: { rescreening } }: { of: Version }) {
  const { words, number } = useListText();
  if (rescreening === null) return <span>{words.versions.nobody}</span>;
  const { status, subjects, affected, rescreened } = rescreening;
  return (
    <span>
      {words.versions.affected(number(subjects), number(affected))}{' '}
      {status === 'pending' && subjects === 0 && words.versions.waiting}{' '}
      {rescreened > 0 && (
        <Link to="/screenings" search={{ trigger: 'list_update' }}>
          {words.versions.rescreened(number(rescreened))}
        </Link>
      )}
    </span>
  );
}
