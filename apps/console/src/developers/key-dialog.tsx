import { useAnnounce } from '@constancia/web';
import { useCall } from '../member/queries.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { GraceField } from '../parts/grace-field.tsx';
import { SecretForm } from '../parts/secret-form.tsx';
import { type Key, keyChangesOf, KeyFields, newKeyOf } from './key-fields.tsx';
import { useDeveloperText } from './text/language.ts';

export const API_KEYS = ['api-keys'];

/** What is asked about a key, or about a new one. */
export type AskedOfKey = { what: 'create' } | { what: 'edit' | 'rotate' | 'remove'; key: Key };

interface KeyDialogProps {
  asked: AskedOfKey;
  onClose: () => void;
}

export function KeyDialog({ asked, onClose }: KeyDialogProps) {
  const { text, words } = useDeveloperText();
  const announce = useAnnounce();
  const call = useCall();
  switch (asked.what) {
    case 'create':
      return (
        <SecretForm
          technical
          title={words.keys.createTitle}
          submit={words.keys.create}
          secretTitle={words.keys.created}
          onClose={onClose}
          onSubmit={async (form, idempotencyKey) => {
            const { api_key } = await call(
              ({ platform }) =>
                platform.POST('/v1/api-keys', {
                  params: { header: { 'Idempotency-Key': idempotencyKey } },
                  body: newKeyOf(form),
                }),
              API_KEYS,
            );
            return api_key;
          }}
        >
          <KeyFields />
        </SecretForm>
      );
    case 'edit':
      return (
        <FormDialog
          technical
          title={words.keys.editOf(asked.key.name)}
          submit={text.save}
          onClose={onClose}
          onSubmit={async (form) => {
            const params = { path: { id: asked.key.id } };
            const body = keyChangesOf(form, asked.key);
            await call(({ platform }) => platform.PATCH('/v1/api-keys/{id}', { params, body }), API_KEYS);
            announce(words.keys.changed);
          }}
        >
          <KeyFields of={asked.key} />
        </FormDialog>
      );
    case 'rotate':
      return (
        <SecretForm
          technical
          title={words.keys.rotateOf(asked.key.name)}
          lead={words.keys.rotateLead}
          submit={words.keys.rotate}
          secretTitle={words.keys.created}
          onClose={onClose}
          onSubmit={async (form, idempotencyKey) => {
            const { api_key } = await call(
              ({ platform }) =>
                platform.POST('/v1/api-keys/{id}/rotate', {
                  params: { path: { id: asked.key.id }, header: { 'Idempotency-Key': idempotencyKey } },
                  body: { grace_seconds: Number(form.get('grace_seconds')) },
                }),
              API_KEYS,
            );
            return api_key;
          }}
        >
          <GraceField label={words.keys.grace} />
        </SecretForm>
      );
    case 'remove':
      return (
        <FormDialog
          technical
          title={words.keys.removeOf(asked.key.name)}
          lead={words.keys.removeLead}
          submit={words.keys.remove}
          dangerous
          onClose={onClose}
          onSubmit={async () => {
            const params = { path: { id: asked.key.id } };
            await call(({ platform }) => platform.DELETE('/v1/api-keys/{id}', { params }), API_KEYS);
            announce(words.keys.removed);
          }}
        />
      );
  }
}
