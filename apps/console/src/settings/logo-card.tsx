import type { components } from '@constancia/sdk/generated/platform';
import { Button, useAnnounce } from '@constancia/web';
import { useEffect, useState } from 'react';
import { rawBody } from '../api/raw-body.ts';
import { useCall, useRecord } from '../member/queries.ts';
import { FileField } from '../parts/file-field.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { useMay } from '../member/member.tsx';
import { useSettingsText } from './text/language.ts';
import { TENANT, useTenantPath } from './use-tenant.ts';

type Logo = components['schemas']['LogoView'];

const TYPES = 'image/png,image/jpeg,image/webp';

/** The logo, another one, or none. */
export function LogoCard({ logo }: { logo: Logo | null }) {
  const { words } = useSettingsText();
  const announce = useAnnounce();
  const may = useMay();
  const params = useTenantPath();
  const call = useCall();
  const [asked, setAsked] = useState<'upload' | 'remove' | null>(null);
  const close = (): void => setAsked(null);

  return (
    <section className="card">
      <h2>{words.logo.title}</h2>
      <p className="help">{words.logo.lead}</p>
      {logo === null ? <p>{words.logo.none}</p> : <LogoPicture key={logo.sha256} of={logo} />}
      {may('settings:write') && (
        <div className="actions small">
          <Button onPress={() => setAsked('upload')}>{words.logo.upload}</Button>
          {logo !== null && <Button onPress={() => setAsked('remove')}>{words.logo.removeTitle}</Button>}
        </div>
      )}
      {asked === 'upload' && <UploadDialog onClose={close} />}
      {asked === 'remove' && (
        <FormDialog
          title={words.logo.removeTitle}
          lead={words.logo.removeLead}
          submit={words.remove}
          dangerous
          onClose={close}
          onSubmit={async () => {
            await call(({ platform }) => platform.DELETE('/tenants/{id}/logo', { params }), TENANT);
            announce(words.logo.removed);
          }}
        />
      )}
    </section>
  );
}

/** The page may show pictures of its own origin alone: it loads this one as it calls the API. */
function LogoPicture({ of: { sha256, width, height } }: { of: Logo }) {
  const { words } = useSettingsText();
  const [url, setUrl] = useState<string | null>(null);
  const query = useRecord(['logo', sha256], ({ platform }) =>
    platform.GET('/logos/{sha256}.png', { params: { path: { sha256 } }, parseAs: 'blob' }),
  );
  const { data: picture } = query;
  useEffect(() => {
    if (picture === undefined) return undefined;
    const created = URL.createObjectURL(picture);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [picture]);
  return (
    <Loaded query={query}>
      {() => url !== null && <img className="logo" src={url} alt={words.logo.alt} {...{ width, height }} />}
    </Loaded>
  );
}

function UploadDialog({ onClose }: { onClose: () => void }) {
  const { words } = useSettingsText();
  const announce = useAnnounce();
  const params = useTenantPath();
  const call = useCall();
  const [fault, setFault] = useState<string | null>(null);
  return (
    <FormDialog
      title={words.logo.upload}
      submit={words.logo.upload}
      problems={words.logo.problems}
      onClose={onClose}
      onSubmit={async (form) => {
        const file = form.get('logo') as File;
        if (!TYPES.split(',').includes(file.type)) {
          setFault(words.logo.noFile);
          return 'open';
        }
        setFault(null);
        await call(
          ({ platform }) => platform.PUT('/tenants/{id}/logo', { params, ...rawBody(file, file.type) }),
          TENANT,
        );
        announce(words.logo.uploaded);
        return undefined;
      }}
    >
      <FileField name="logo" label={words.logo.file} hint={words.logo.fileHint} accept={TYPES} fault={fault} />
    </FormDialog>
  );
}
