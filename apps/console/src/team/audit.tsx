import { AUDIT_ACTIONS } from '@constancia/contracts/audit-actions';
import type { components } from '@constancia/sdk/generated/platform';
import { Button } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type Page, useAllRecords, useCall, useRecords } from '../member/queries.ts';
import { momentsOf } from '../text/bogota-days.ts';
import { Failure } from '../parts/failure.tsx';
import { choicesOf, Filter } from '../parts/filter.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RecordTable } from '../parts/record-table.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useAction } from '../parts/use-action.ts';
import { AuditDetails } from './audit-details.tsx';
import { auditedName } from './audit-values.ts';
import { useTeamText } from './text/language.ts';

type Entry = components['schemas']['AuditEntryView'];

const route = getRouteApi('/team/audit');
/** An identifier: neither a name nor a mail address gets into the address. */
const ID = '[a-z]+_[0-9a-z]+|[0-9a-f\\-]{36}';
const TYPES = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const;

/** Who changed what, newest first. The address holds identifiers, never names. */
export function Audit() {
  const { text, words, clock, number } = useTeamText();
  const { lang: _, ...values } = route.useSearch();
  const navigate = route.useNavigate();
  const call = useCall();
  const { busy, error, run } = useAction();
  const selection = {
    ...values,
    ...momentsOf(values),
    action: values.action as (typeof AUDIT_ACTIONS)[number] | undefined,
  };
  const query = useRecords<Entry>(['audit-log', values], async ({ platform }, cursor) => {
    const params = { query: { cursor, limit: 100, ...selection } };
    const { data, ...rest } = await platform.GET('/v1/audit-log', { params });
    return { ...rest, data: data as Page<Entry> | undefined }; // a file only where it is asked for
  });
  const members = useAllRecords(['members'], ({ platform }, cursor) =>
    platform.GET('/v1/members', { params: { query: { cursor, limit: 100 } } }),
  );
  const names = new Map(members.data?.map(({ id, name }) => [id, name]));
  const download = async (kind: 'csv' | 'ndjson'): Promise<void> => {
    const file = await call(({ platform }) =>
      platform.GET('/v1/audit-log', {
        params: { query: selection },
        headers: { Accept: TYPES[kind] },
        parseAs: 'blob',
      }),
    );
    saveFile(`${words.audit.file}.${kind}`, file);
  };

  return (
    <>
      <PageHead title={words.audit.title} lead={words.audit.lead}>
        <Button busy={busy === 'csv'} onPress={() => void run('csv', () => download('csv'))}>
          {words.audit.csv}
        </Button>
        <Button busy={busy === 'ndjson'} onPress={() => void run('ndjson', () => download('ndjson'))}>
          {words.audit.ndjson}
        </Button>
      </PageHead>
      <p className="help">{words.audit.ndjsonHint}</p>
      {error !== null && <Failure error={error} />}
      <Filter
        values={values}
        onValues={(next) => void navigate({ search: next })}
        fields={[
          {
            name: 'action',
            label: words.audit.action,
            options: [
              ['', text.all],
              ...AUDIT_ACTIONS.map((each) => [each, words.audit.actions[each] ?? each] as const),
            ],
          },
          { name: 'from', type: 'date', label: words.audit.from },
          { name: 'to', type: 'date', label: words.audit.to },
          {
            name: 'actor',
            label: words.audit.actorFilter,
            // Who is no member, such as an API key, is chosen by a press on their name.
            options: choicesOf(text.all, [...names], values.actor),
          },
          { name: 'object', label: words.audit.objectFilter, pattern: ID, placeholder: 'mbr_…', maxLength: 64 },
        ]}
      />
      <RecordTable
        caption={words.audit.title}
        query={query}
        keyOf={({ seq }) => String(seq)}
        empty={words.audit.empty}
        columns={[
          { title: words.audit.number, of: ({ seq }) => number(seq), width: '3.5rem' },
          { title: words.audit.at, of: ({ at }) => clock(at) },
          { title: words.audit.actor, wide: true, of: (entry) => <Actor of={entry.actor} /> },
          {
            title: words.audit.what,
            wide: true,
            width: 'minmax(0, 3fr)',
            of: (entry) => (
              <div>
                {words.audit.actions[entry.action] ?? entry.action} <Concerned of={entry} names={names} />
                <AuditDetails of={entry} />
              </div>
            ),
          },
        ]}
      />
    </>
  );
}

/** The member whom an entry is about, or what the organization calls it. */
function Concerned({ of: entry, names }: { of: Entry; names: ReadonlyMap<string, string> }) {
  const { words } = useTeamText();
  const { id } = entry.object;
  const name = id === null ? undefined : names.get(id);
  if (id === null || name === undefined) {
    const called = auditedName(entry, words.audit);
    return called === null ? null : <strong>{called}</strong>;
  }
  return (
    <Link to="/team/members/$id" params={{ id }}>
      {name}
    </Link>
  );
}

function Actor({ of: { kind, id, name, on_behalf_of: person } }: { of: Entry['actor'] }) {
  const { words } = useTeamText();
  return (
    <span>
      {id === null ? (
        name
      ) : (
        <Link to="/team/audit" search={({ lang }) => ({ actor: id, lang })} aria-label={words.audit.actorsOwn(name)}>
          {name}
        </Link>
      )}{' '}
      <small>
        {words.audit.kinds[kind]} {person !== undefined && words.audit.onBehalf(person)}
      </small>
    </span>
  );
}
