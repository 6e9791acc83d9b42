import type { components } from '@constancia/sdk/generated/compliance';
import { State } from '@constancia/web';
import { getRouteApi, Navigate } from '@tanstack/react-router';
import { useRecords } from '../member/queries.ts';
import { Filter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { useListText } from './text/language.ts';

type Schemas = components['schemas'];
type Entry = Schemas['ListEntryView'];

const route = getRouteApi('/lists/changes');
const KINDS = { added: 'bad', changed: 'wait', removed: 'good' } as const;

/** What one import changed, entry by entry; without a version, the versions to choose from. */
export function Changes() {
  const { list, own, version } = route.useSearch();
  if (version === undefined) return <Navigate to="/lists/versions" search={{ list, own }} replace />;
  return <ChangesOf version={version} />;
}

function ChangesOf({ version }: { version: string }) {
  const { text, words } = useListText();
  const { lang: _, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const { list = 'OFAC', own, change } = search;
  const query = useRecords(['lists', 'changes', search], ({ compliance }, cursor) =>
    compliance.GET('/v1/lists/changes', {
      params: {
        query: {
          list: list as Schemas['ListCode'],
          version,
          own: own === 'true',
          change: change as Schemas['ListChangeKind'],
          cursor,
          limit: 100,
        },
      },
    }),
  );
  const name = own === 'true' ? words.own : words.lists[list as Schemas['ListCode']];
  return (
    <>
      <PageHead title={words.changes.title} of={list} lead={words.changes.lead(name, version)} />
      <Filter
        values={change === undefined ? {} : { change }}
        onValues={(next) => {
          const { change: _before, ...kept } = search;
          void navigate({ search: { ...kept, ...next } });
        }}
        fields={[
          {
            name: 'change',
            label: words.changes.kind,
            options: [['', text.all], ...Object.entries(words.changes.kinds)],
          },
        ]}
      />
      <RecordTable
        caption={words.changes.title}
        query={query}
        keyOf={(row) => `${row.change} ${row.entry_id}`}
        empty={words.changes.empty}
        columns={[
          {
            title: words.changes.kind,
            width: '8rem',
            of: (row) => <State kind={KINDS[row.change]}>{words.changes.kinds[row.change]}</State>,
          },
          {
            title: words.name,
            wide: true,
            of: ({ before, after, entry_id }) => (
              <span>
                <strong>{(after ?? before)?.name}</strong> <small>{entry_id}</small>
              </span>
            ),
          },
          { title: words.changes.what, wide: true, width: 'minmax(0, 2fr)', of: (row) => <What of={row} /> },
        ]}
      />
    </>
  );
}

const MEMBERS = ['name', 'kind', 'aliases', 'birth_dates', 'countries', 'identifiers', 'programmes', 'role'] as const;

/** Of a changed entry what differs, before and after; of another one what is known of it. */
function What({ of: { before, after } }: { of: Schemas['ListChangeView'] }) {
  const { words } = useListText();
  const shown = (entry: Entry | null, member: (typeof MEMBERS)[number]): string => {
    const value = entry?.[member] ?? null;
    if (member === 'kind') return value === null ? '' : words.kinds[value as Entry['kind']];
    return [value ?? []].flat().join(', ');
  };
  const isChange = before !== null && after !== null;
  const members = MEMBERS.filter((member) =>
    isChange
      ? shown(before, member) !== shown(after, member)
      : member !== 'name' && shown(after ?? before, member) !== '',
  );
  return (
    <ul className="links">
      {members.map((member) => (
        <li key={member}>
          <small>{words.members[member]}:</small>{' '}
          {isChange ? (
            <>
              <del>{shown(before, member) || '–'}</del> → <ins>{shown(after, member) || '–'}</ins>
            </>
          ) : (
            shown(after ?? before, member)
          )}
        </li>
      ))}
    </ul>
  );
}
