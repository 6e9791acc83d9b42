import { useAnnounce } from '@constancia/web';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { GraceField } from '../../parts/grace-field.tsx';
import { SecretForm } from '../../parts/secret-form.tsx';
import { usePersonText } from '../text/language.ts';
import { type Client, clientChangesOf, ClientFields, newClientOf } from './client-fields.tsx';

export const CLIENTS = ['oidc-clients'];

/** What is asked about a client, or about a new one. */
export type AskedOfClient = { what: 'create' } | { what: 'edit' | 'rotate' | 'remove'; client: Client };

interface ClientDialogProps {
  asked: AskedOfClient;
  onClose: () => void;
}

export function ClientDialog({ asked, onClose }: ClientDialogProps) {
  const { text, words } = usePersonText();
  const { clients } = words;
  const announce = useAnnounce();
  const call = useCall();
  switch (asked.what) {
    case 'create':
      return (
        <SecretForm
          title={clients.create}
          submit={clients.create}
          secretTitle={clients.created}
          onClose={onClose}
          onSubmit={async (form) => {
            const body = newClientOf(form);
            const { client_secret: secret } = await call(
              ({ platform }) => platform.POST('/v1/oidc/clients', { body }),
              CLIENTS,
            );
            if (secret === undefined) announce(clients.createdWithout);
            return secret ?? null;
          }}
        >
          <ClientFields />
        </SecretForm>
      );
    case 'edit':
      return (
        <FormDialog
          title={clients.editOf(asked.client.name)}
          submit={text.save}
          onClose={onClose}
          onSubmit={async (form) => {
            const params = { path: { id: asked.client.client_id } };
            const body = clientChangesOf(form, asked.client);
            await call(({ platform }) => platform.PATCH('/v1/oidc/clients/{id}', { params, body }), CLIENTS);
            announce(clients.changed);
          }}
        >
          <ClientFields of={asked.client} />
        </FormDialog>
      );
    case 'rotate':
      return (
        <SecretForm
          title={clients.rotateOf(asked.client.name)}
          lead={clients.rotateLead}
          submit={clients.rotate}
          secretTitle={clients.created}
          onClose={onClose}
          onSubmit={async (form) => {
            const params = { path: { id: asked.client.client_id } };
            const body = { grace_seconds: Number(form.get('grace_seconds')) };
            const { client_secret } = await call(
              ({ platform }) => platform.POST('/v1/oidc/clients/{id}/rotate-secret', { params, body }),
              CLIENTS,
            );
            return client_secret;
          }}
        >
          <GraceField label={clients.grace} />
        </SecretForm>
      );
    case 'remove':
      return (
        <FormDialog
          title={clients.removeOf(asked.client.name)}
          lead={clients.removeLead}
          submit={clients.remove}
          dangerous
          onClose={onClose}
          onSubmit={async () => {
            const params = { path: { id: asked.client.client_id } };
            await call(({ platform }) => platform.DELETE('/v1/oidc/clients/{id}', { params }), CLIENTS);
            announce(clients.removed);
          }}
        />
      );
  }
}
