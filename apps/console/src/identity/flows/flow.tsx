import { Button, Facts, useAnnounce } from '@constancia/web';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type Tagged, withEtag } from '../../api/apis.ts';
import { useMay } from '../../member/member.tsx';
import { useCall, useRecord } from '../../member/queries.ts';
import { Failure } from '../../parts/failure.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { useAction } from '../../parts/use-action.ts';
import { FlowEditor } from './flow-editor.tsx';
import { FLOWS, FlowStatus } from './flow-parts.tsx';
import type { FlowStep, FlowView } from './step-form.ts';
import { useFlowText } from './text/language.ts';

const route = getRouteApi('/identity/flows/$id');

/** One version of a flow: a draft is edited, and copied from there; another one is copied into a draft. */
export function Flow() {
  const { words } = useFlowText();
  const { id } = route.useParams();
  const query = useRecord([...FLOWS, id], ({ platform }) =>
    withEtag(platform.GET('/v1/flows/{id}', { params: { path: { id } } })),
  );
  return (
    <>
      <PageHead title={words.one} of={query.data?.code}>
        {query.data !== undefined && query.data.status !== 'draft' && <Clone of={query.data} />}
      </PageHead>
      <Loaded query={query}>{(flow) => <Version key={flow.id} of={flow} />}</Loaded>
    </>
  );
}

function Clone({ of: { id } }: { of: FlowView }) {
  const { words } = useFlowText();
  const may = useMay();
  const call = useCall();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const { busy, error, run } = useAction();
  const clone = (): Promise<void> =>
    run('clone', async () => {
      const params = { path: { id } };
      const draft = await call(({ platform }) => platform.POST('/v1/flows/{id}/clone', { params }), FLOWS);
      await navigate({ to: '/identity/flows/$id', params: { id: draft.id } });
      announce(words.cloned);
    });
  if (!may('identity:write')) return null;
  return (
    <>
      <Button busy={busy !== null} onPress={() => void clone()}>
        {words.clone}
      </Button>
      {error !== null && <Failure error={error} />}
    </>
  );
}

function Version({ of: flow }: { of: Tagged<FlowView> }) {
  const { words, clock } = useFlowText();
  const may = useMay();
  const [edits, setEdits] = useState(() => flow.status === 'draft' && may('identity:write'));
  return (
    <>
      <Facts
        pairs={[
          [words.code, `${flow.type} / ${flow.code}`],
          [words.version, flow.version],
          [words.status, <FlowStatus key="status" of={flow} />],
          [words.created, clock(flow.created_at)],
          [words.published, flow.published_at && clock(flow.published_at)],
        ]}
      />
      {edits ? <FlowEditor of={flow} onPublished={() => setEdits(false)} /> : <Steps of={flow.steps} />}
    </>
  );
}

function Steps({ of: steps }: { of: readonly FlowStep[] }) {
  const { words, identity, number } = useFlowText();
  return (
    <div className="cards">
      {steps.map((step, at) => (
        <section key={step.step_type} className="card">
          <h2>{words.stepOf(number(at + 1), identity.steps[step.step_type])}</h2>
          <OptionFacts of={step} />
        </section>
      ))}
    </div>
  );
}

/** The options of a step in words. */
function OptionFacts({ of: { required = true, config = {} } }: { of: FlowStep }) {
  const { words } = useFlowText();
  const known: Readonly<Record<string, string>> = { ...words.livenessModes, ...words.passive, ...words.reuse };
  const labels: Readonly<Record<string, string>> = words.options;
  const shown = (value: unknown): string => {
    if (typeof value === 'boolean') return value ? words.yes : words.no;
    if (Array.isArray(value)) return value.join(', ');
    return typeof value === 'string' ? (known[value] ?? value) : String(value);
  };
  const { thresholds = null, ...others } = config;
  const options = Object.entries({ ...others, ...(thresholds as object | null) });
  return (
    <Facts
      pairs={[
        [words.required, shown(required)],
        ...options.map(([name, value]) => [labels[name] ?? name, shown(value)] as const),
      ]}
    />
  );
}
