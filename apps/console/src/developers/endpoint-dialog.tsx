import { EVENT_TYPES } from '@constancia/contracts/modules';
import { Field, useAnnounce } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useCall } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { GraceField } from '../parts/grace-field.tsx';
import { SecretForm } from '../parts/secret-form.tsx';
import { type Endpoint, endpointChangesOf, EndpointFields, newEndpointOf } from './endpoint-fields.tsx';
import { ENDPOINTS, nameOf } from './endpoint-names.tsx';
import { useDeveloperText } from './text/language.ts';

/** What is asked about an endpoint, or about a new one. */
export type AskedOfEndpoint = { what: 'create' } | { what: 'edit' | 'test' | 'rotate' | 'remove'; endpoint: Endpoint };

interface EndpointDialogProps {
  asked: AskedOfEndpoint;
  onClose: () => void;
}

export function EndpointDialog({ asked, onClose }: EndpointDialogProps) {
  const { text, words } = useDeveloperText();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const call = useCall();
  switch (asked.what) {
    case 'create':
      return (
        <SecretForm
          technical
          title={words.endpoints.create}
          submit={words.endpoints.create}
          secretTitle={words.endpoints.created}
          onClose={onClose}
          onSubmit={async (form) => {
            const body = newEndpointOf(form);
            const { secret } = await call(
              ({ platform }) => platform.POST('/v1/webhook-endpoints', { body }),
              ENDPOINTS,
            );
            return secret;
          }}
        >
          <EndpointFields />
        </SecretForm>
      );
    case 'edit':
      return (
        <FormDialog
          technical
          title={words.endpoints.editOf(nameOf(asked.endpoint))}
          submit={text.save}
          onClose={onClose}
          onSubmit={async (form) => {
            const params = { path: { id: asked.endpoint.id } };
            const body = endpointChangesOf(form, asked.endpoint);
            await call(({ platform }) => platform.PATCH('/v1/webhook-endpoints/{id}', { params, body }), ENDPOINTS);
            announce(body.enabled === true ? words.endpoints.enabledNow : words.endpoints.changed);
          }}
        >
          <EndpointFields of={asked.endpoint} />
        </FormDialog>
      );
    case 'test':
      return (
        <FormDialog
          technical
          title={words.endpoints.testOf(nameOf(asked.endpoint))}
          lead={words.endpoints.testLead}
          submit={words.endpoints.test}
          onClose={onClose}
          onSubmit={async (form) => {
            const params = { path: { id: asked.endpoint.id } };
            const body = { event_type: String(form.get('event_type')) };
            const { id } = await call(
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
        <SecretForm
          technical
          title={words.endpoints.rotateOf(nameOf(asked.endpoint))}
          lead={words.endpoints.rotateLead}
          submit={words.endpoints.rotate}
          secretTitle={words.endpoints.created}
          onClose={onClose}
          onSubmit={async (form) => {
            const params = { path: { id: asked.endpoint.id } };
            const body = { grace_seconds: Number(form.get('grace_seconds')) };
            const { secret } = await call(
              ({ platform }) => platform.POST('/v1/webhook-endpoints/{id}/rotate-secret', { params, body }),
              ENDPOINTS,
            );
            return secret;
          }}
        >
          <GraceField label={words.endpoints.grace} />
        </SecretForm>
      );
    case 'remove':
      return (
        <FormDialog
          technical
          title={words.endpoints.removeOf(nameOf(asked.endpoint))}
          lead={words.endpoints.removeLead}
          submit={words.endpoints.remove}
          dangerous
          onClose={onClose}
          onSubmit={async () => {
            const params = { path: { id: asked.endpoint.id } };
            await call(({ platform }) => platform.DELETE('/v1/webhook-endpoints/{id}', { params }), ENDPOINTS);
            announce(words.endpoints.removed);
          }}
        />
      );
  }
}
