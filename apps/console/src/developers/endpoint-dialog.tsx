import { EVENT_TYPES } from '@constancia/contracts/modules';
import { Field, useAnnounce } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useChange } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { SecretDialog } from '../parts/secret-dialog.tsx';
import { type Endpoint, endpointChangesOf, EndpointFields, newEndpointOf } from './endpoint-fields.tsx';
import { GraceField } from './grace-field.tsx';
import { useDeveloperText } from './text/language.ts';

const LIST = ['webhook-endpoints'];

/** What is asked about an endpoint, or about a new one. */
export type AskedOfEndpoint =
  | { what: 'create' }
  | { what: 'edit' | 'test' | 'rotate' | 'remove'; endpoint: Endpoint }
  | { what: 'secret'; secret: string };

interface EndpointDialogProps {
  asked: AskedOfEndpoint;
  onAsk: (asked: AskedOfEndpoint | null) => void;
}

export function EndpointDialog({ asked, onAsk }: EndpointDialogProps) {
  const { text, words } = useDeveloperText();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const change = useChange();
  const close = (): void => onAsk(null);
  switch (asked.what) {
    case 'create':
      return (
        <FormDialog
          title={words.endpoints.create}
          submit={words.endpoints.create}
          onClose={close}
          onSubmit={async (form) => {
            const body = newEndpointOf(form);
            const { secret } = await change(({ platform }) => platform.POST('/v1/webhook-endpoints', { body }), LIST);
            onAsk({ what: 'secret', secret });
            return 'open';
          }}
        >
          <EndpointFields />
        </FormDialog>
      );
    case 'edit':
      return (
        <FormDialog
          title={words.endpoints.editOf(asked.endpoint.url)}
          submit={text.save}
          onClose={close}
          onSubmit={async (form) => {
            const params = { path: { id: asked.endpoint.id } };
            const body = endpointChangesOf(form, asked.endpoint);
            await change(({ platform }) => platform.PATCH('/v1/webhook-endpoints/{id}', { params, body }), LIST);
            announce(words.endpoints.changed);
          }}
        >
          <EndpointFields of={asked.endpoint} />
        </FormDialog>
      );
    case 'test':
      return (
        <FormDialog
          title={words.endpoints.testOf(asked.endpoint.url)}
          lead={words.endpoints.testLead}
          submit={words.endpoints.test}
          onClose={close}
          onSubmit={async (form) => {
            const params = { path: { id: asked.endpoint.id } };
            const body = { event_type: String(form.get('event_type')) };
            const { id } = await change(
              ({ platform }) => platform.POST('/v1/webhook-endpoints/{id}/test', { params, body }),
              ['deliveries'],
            );
            await navigate({ to: '/developers/deliveries/$id', params: { id } });
          }}
        >
          <Field
            name="event_type"
            label={words.endpoints.testType}
            options={['endpoint.test', ...asked.endpoint.modules.flatMap((module) => EVENT_TYPES[module])].map(
              (type) => [type, type] as const,
            )}
          />
        </FormDialog>
      );
    case 'rotate':
      return (
        <FormDialog
          title={words.endpoints.rotateOf(asked.endpoint.url)}
          lead={words.endpoints.rotateLead}
          submit={words.endpoints.rotate}
          onClose={close}
          onSubmit={async (form) => {
            const params = { path: { id: asked.endpoint.id } };
            const body = { grace_seconds: Number(form.get('grace_seconds')) };
            const { secret } = await change(
              ({ platform }) => platform.POST('/v1/webhook-endpoints/{id}/rotate-secret', { params, body }),
              LIST,
            );
            onAsk({ what: 'secret', secret });
            return 'open';
          }}
        >
          <GraceField label={words.endpoints.grace} />
        </FormDialog>
      );
    case 'remove':
      return (
        <FormDialog
          title={words.endpoints.removeOf(asked.endpoint.url)}
          lead={words.endpoints.removeLead}
          submit={words.endpoints.remove}
          dangerous
          onClose={close}
          onSubmit={async () => {
            const params = { path: { id: asked.endpoint.id } };
            await change(({ platform }) => platform.DELETE('/v1/webhook-endpoints/{id}', { params }), LIST);
            announce(words.endpoints.removed);
          }}
        />
      );
    case 'secret':
      return <SecretDialog title={words.endpoints.created} secret={asked.secret} onClose={close} />;
  }
}
