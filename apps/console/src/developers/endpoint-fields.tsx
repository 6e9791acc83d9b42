import { EVENT_MODULES, EVENT_TYPES, type EventModule } from '@constancia/contracts/modules';
import type { components } from '@constancia/sdk/generated/platform';
import { Field } from '@constancia/web';
import { changesOf } from '../parts/changes-of.ts';
import { Ticks } from '../parts/ticks.tsx';
import { useDeveloperText } from './text/language.ts';

export type Endpoint = components['schemas']['EndpointView'];

const TYPES = Object.values(EVENT_TYPES).flat();

/** Where events are sent, and which. */
export function EndpointFields({ of: endpoint }: { of?: Endpoint }) {
  const { words } = useDeveloperText();
  return (
    <>
      <Field
        name="description"
        label={words.endpoints.description}
        hint={words.endpoints.descriptionHint}
        maxLength={200}
        defaultValue={endpoint?.description ?? undefined}
      />
      <Field
        name="url"
        label={words.endpoints.url}
        hint={words.endpoints.urlHint}
        maxLength={2048}
        placeholder="https://hooks.example.com/constancia"
        defaultValue={endpoint?.url}
        required
      />
      <Ticks
        name="modules"
        label={words.endpoints.modules}
        options={EVENT_MODULES.map((module) => [module, words.modules[module]] as const)}
        ticked={endpoint?.modules ?? EVENT_MODULES}
      />
      <details open={(endpoint?.event_types.length ?? 0) > 0}>
        <summary>{words.endpoints.events}</summary>
        <Ticks
          name="event_types"
          label={words.endpoints.events}
          hint={words.endpoints.eventsHint}
          options={TYPES.map((type) => [type, type] as const)}
          ticked={(endpoint?.event_types ?? []) as typeof TYPES}
        />
      </details>
      {endpoint !== undefined && (
        <Ticks
          name="enabled"
          label={words.endpoints.state}
          hint={wasDisabled(endpoint) ? words.endpoints.disabledHint : undefined}
          options={[['enabled', words.endpoints.enabled]]}
          ticked={endpoint.enabled || wasDisabled(endpoint) ? ['enabled'] : []}
        />
      )}
    </>
  );
}

/** The service disabled it: anyone who changes it then means to have it back. */
const wasDisabled = ({ enabled, disabled_reason }: Endpoint): boolean => !enabled && disabled_reason !== null;

interface EndpointBody {
  description?: string;
  url: string;
  modules: EventModule[];
  event_types: string[];
}

/** The form as the body of a new endpoint. */
export function newEndpointOf(form: FormData): EndpointBody {
  const description = String(form.get('description') ?? '').trim();
  return {
    ...(description !== '' && { description }),
    url: String(form.get('url') ?? '').trim(),
    modules: form.getAll('modules') as EventModule[],
    event_types: form.getAll('event_types') as string[],
  };
}

export const endpointChangesOf = (form: FormData, endpoint: Endpoint): Partial<EndpointBody & { enabled: boolean }> =>
  changesOf(
    { description: '', ...newEndpointOf(form), enabled: form.has('enabled') },
    { ...endpoint, description: endpoint.description ?? '' },
  );
