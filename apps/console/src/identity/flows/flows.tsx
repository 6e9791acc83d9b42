import { Button, useAnnounce } from '@constancia/web';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useMay } from '../../member/member.tsx';
import { useCall, useRecords } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { Filter } from '../../parts/filter.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { RecordTable } from '../../parts/record-table.tsx';
import { useAction } from '../../parts/use-action.ts';
import { FLOWS, FlowStatus } from './flow-parts.tsx';
import type { FlowView } from './step-form.ts';
import { useFlowText } from './text/language.ts';

const route = getRouteApi('/identity/flows');

/** Every version of every flow. */
export function Flows() {
  const { text, words, identity, clock } = useFlowText();
  const { status } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useRecords([...FLOWS, 'list', status], ({ platform }, cursor) =>
    platform.GET('/v1/flows', {
      params: { query: { cursor, limit: 100, status: status as FlowView['status'] } },
    }),
  );
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        {status === undefined && query.data?.length === 0 && <Seed />}
      </PageHead>
      <Filter
        values={status === undefined ? {} : { status }}
        onValues={(search) => void navigate({ search })}
        fields={[{ name: 'status', label: words.status, options: [['', text.all], ...Object.entries(words.statuses)] }]}
      />
      <RecordTable
        caption={words.title}
        query={query}
        keyOf={({ id }) => id}
        empty={status === undefined ? words.none : words.empty}
        columns={[
          {
            title: words.code,
            wide: true,
            of: ({ id, type, code }) => (
              <Link to="/identity/flows/$id" params={{ id }}>
                {type} / {code}
              </Link>
            ),
          },
          { title: words.version, of: ({ version }) => version, width: '6rem' },
          { title: words.status, of: (row) => <FlowStatus of={row} />, width: '8rem' },
          {
            title: words.steps,
            width: 'minmax(0, 2fr)',
            of: ({ steps }) => steps.map(({ step_type }) => identity.steps[step_type]).join(' → '),
          },
          { title: words.created, of: ({ created_at }) => clock(created_at) },
        ]}
      />
    </>
  );
}

/** For who may write: the flow that every tenant can begin with. */
function Seed() {
  const { words } = useFlowText();
  const may = useMay();
  const call = useCall();
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const seed = (): Promise<void> =>
    run('seed', async () => {
      await call(({ platform }) => platform.POST('/v1/flows/seed-default'), FLOWS);
      announce(words.seeded);
    });
  if (!may('identity:write')) return null;
  return (
    <>
      <Button look="primary" busy={busy !== null} onPress={() => void seed()}>
        {words.seed}
      </Button>
      {error !== null && <Failure error={error} />}
    </>
  );
}
