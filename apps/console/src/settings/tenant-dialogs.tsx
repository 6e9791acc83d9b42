import type { components } from '@constancia/sdk/generated/platform';
import { Field, useAnnounce } from '@constancia/web';
import { useCall } from '../member/queries.ts';
import { changesOf } from '../parts/changes-of.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import { useSettingsText } from './text/language.ts';
import { TENANT, useTenantPath } from './use-tenant.ts';

type Tenant = components['schemas']['TenantView'];
type Changes = components['schemas']['ChangeTenantBody'];

interface TenantDialogProps {
  of: Tenant;
  onClose: () => void;
}

/** Name, language and colour. */
export function TenantDialog({ of: tenant, onClose }: TenantDialogProps) {
  const { text, words } = useSettingsText();
  const announce = useAnnounce();
  const params = useTenantPath();
  const call = useCall();
  return (
    <FormDialog
      title={words.tenant.edit}
      submit={text.save}
      onClose={onClose}
      onSubmit={async (form) => {
        const body = tenantChangesOf(form, tenant);
        await call(({ platform }) => platform.PATCH('/tenants/{id}', { params, body }), TENANT);
        announce(words.tenant.changed);
      }}
    >
      <Field
        name="display_name"
        label={words.tenant.name}
        hint={words.tenant.nameHint}
        maxLength={120}
        defaultValue={tenant.display_name}
        required
      />
      <Field
        name="locale"
        label={words.tenant.locale}
        hint={words.tenant.localeHint}
        options={Object.entries(text.languages)}
        defaultValue={tenant.locale}
      />
      <Field
        name="branding"
        label={words.tenant.color}
        hint={words.tenant.colorHint}
        pattern="#[0-9A-Fa-f]{6}"
        maxLength={7}
        placeholder="#0b5a55"
        defaultValue={tenant.branding.color?.value ?? ''}
      />
    </FormDialog>
  );
}

function tenantChangesOf(form: FormData, tenant: Tenant): Changes {
  const display_name = String(form.get('display_name')).trim();
  const locale = form.get('locale') as Tenant['locale'];
  const color = String(form.get('branding')).trim().toLowerCase();
  return {
    ...changesOf({ display_name, locale }, tenant),
    ...(color !== (tenant.branding.color?.value ?? '') && { branding: { color: color === '' ? null : color } }),
  };
}

/** The mail address of the owner. */
export function OwnerEmailDialog({ of: tenant, onClose }: TenantDialogProps) {
  const { text, words } = useSettingsText();
  const announce = useAnnounce();
  const params = useTenantPath();
  const call = useCall();
  return (
    <FormDialog
      title={words.tenant.ownerEdit}
      lead={words.tenant.ownerLead}
      submit={text.save}
      problems={words.tenant.ownerProblems}
      onClose={onClose}
      onSubmit={async (form) => {
        const body = { owner_email: String(form.get('owner_email')).trim() };
        await call(({ platform }) => platform.PATCH('/tenants/{id}', { params, body }), TENANT);
        announce(words.tenant.ownerChanged);
      }}
    >
      <Field
        name="owner_email"
        label={words.tenant.owner}
        maxLength={254}
        defaultValue={tenant.pending_owner_email?.email ?? tenant.owner_email}
        required
      />
    </FormDialog>
  );
}
