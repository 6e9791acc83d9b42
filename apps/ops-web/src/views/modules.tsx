/** What compliance and signing show on their own ops ports: lists, overdue cases, seals. */
import { operations } from '@constancia/operations';
import { Notice, State, Table } from '@constancia/web';
import { FilteredList } from '../parts/filtered-list.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useText } from '../text/language.ts';

/** Restrictive lists: versions, age, what is missing. */
export function ListsView() {
  const { text, number, clock } = useText();
  return (
    <>
      <p>{text.listsAbout}</p>
      <Loaded request={operations.lists()}>
        {({ data, missing, stale }) => (
          <>
            {missing.length > 0 && <Notice tone="error">{text.listsMissing(missing.join(', '))}</Notice>}
            {stale.length > 0 && <Notice tone="warning">{text.listsStale(stale.join(', '))}</Notice>}
            {data.length === 0 ? (
              <p>{text.none}</p>
            ) : (
              <Table
                caption={text.sections.lists}
                rows={data}
                keyOf={({ list, version }) => `${list} ${version}`}
                columns={[
                  { title: text.list, of: ({ list }) => list },
                  { title: text.version, of: ({ version }) => <code>{version}</code>, wide: true },
                  { title: text.entries, of: ({ entries }) => number(entries) },
                  { title: text.published, of: ({ published_at: at }) => clock(at) },
                  { title: text.imported, of: ({ imported_at: at }) => clock(at) },
                ]}
              />
            )}
          </>
        )}
      </Loaded>
    </>
  );
}

/** Overdue cases, the most overdue first. */
export function CasesView() {
  const { text, number } = useText();
  return (
    <FilteredList
      title={text.sections.cases}
      request={operations.overdueCases}
      keyOf={({ id }) => id}
      columns={[
        { title: text.case, of: ({ id }) => <code>{id}</code>, wide: true },
        { title: text.tenantShort, of: ({ tenant_id: tenant }) => <code>{tenant}</code>, wide: true },
        { title: text.severity, of: ({ severity }) => severity },
        { title: text.status, of: ({ status }) => status },
        { title: text.hoursOver, of: ({ hours_over: hours }) => number(hours) },
      ]}
    />
  );
}

/** Documents that wait for their seal, or whose sealing failed. */
export function SealsView() {
  const { text, number, clock } = useText();
  return (
    <FilteredList
      title={text.sections.seals}
      request={operations.seals}
      keyOf={({ id }) => id}
      fields={[{ name: 'status', label: text.status, options: Object.entries(text.sealStatuses) }]}
      columns={[
        { title: text.seal, of: ({ id }) => <code>{id}</code>, wide: true },
        { title: text.tenantShort, of: ({ tenant_id: tenant }) => <code>{tenant}</code>, wide: true },
        { title: text.status, of: ({ status }) => <State kind={status === 'failed' ? 'bad' : 'wait'}>{status}</State> },
        { title: text.attempts, of: ({ attempts }) => number(attempts) },
        { title: text.error, of: ({ last_setback: error }) => error ?? '–', wide: true },
        { title: text.created, of: ({ created_at: at }) => clock(at) },
        { title: text.next, of: ({ next_attempt_at: at }) => clock(at) },
      ]}
    />
  );
}
