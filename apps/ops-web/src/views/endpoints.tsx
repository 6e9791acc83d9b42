import { ENDPOINT_HEALTHS, endpointHealth, type EndpointRow, operations } from '@constancia/operations';
import { Button, State } from '@constancia/web';
import { FilteredList } from '../parts/filtered-list.tsx';
import { useOperations } from '../parts/use-operations.ts';
import { useText } from '../text/language.ts';

/** Endpoints by their health, to pause and to resume. */
export function EndpointsView() {
  const { text, number } = useText();
  const healths = ENDPOINT_HEALTHS.map((health) => [health, text.healths[health]] as const);
  return (
    <FilteredList
      title={text.sections.endpoints}
      request={operations.endpoints}
      keyOf={({ id }) => id}
      fields={[
        { name: 'tenant', label: text.tenant },
        { name: 'health', label: text.health, options: [['', text.all], ...healths] },
      ]}
      columns={[
        { title: text.endpoint, of: ({ id }) => <code>{id}</code>, wide: true },
        { title: text.tenantShort, of: ({ slug }) => slug, wide: true },
        { title: text.module, of: ({ module }) => module },
        { title: text.health, of: (endpoint) => <Health endpoint={endpoint} /> },
        { title: text.failures, of: ({ consecutive_failures: failures }) => number(failures) },
        { title: text.dueHere, of: ({ due }) => number(due) },
        { title: text.url, of: ({ url }) => <code>{url}</code>, wide: true },
        { title: text.action, of: (endpoint) => <PauseOrResume endpoint={endpoint} /> },
      ]}
    />
  );
}

function Health({ endpoint }: { endpoint: EndpointRow }) {
  const { text, clock } = useText();
  const { disabled_reason: reason, paused_until: until } = endpoint;
  const health = endpointHealth(endpoint);
  const words = text.healths[health];
  if (health === 'disabled') return <State kind="bad">{reason ? `${words}: ${reason}` : words}</State>;
  if (health === 'paused') return <State kind="wait">{`${words} → ${clock(until)}`}</State>;
  return <State kind={health === 'failing' ? 'bad' : 'good'}>{words}</State>;
}

function PauseOrResume({ endpoint }: { endpoint: EndpointRow }) {
  const { text } = useText();
  const { pauseEndpoint, resumeEndpoint } = useOperations();
  const { id } = endpoint;
  const health = endpointHealth(endpoint);
  const isStopped = health === 'disabled' || health === 'paused';
  const { title } = isStopped ? text.operations.resumeEndpoint : text.operations.pauseEndpoint;
  return (
    <Button label={`${title} ${id}`} onPress={() => (isStopped ? resumeEndpoint : pauseEndpoint)(id)}>
      {title}
    </Button>
  );
}
