import type { components } from '@constancia/sdk/generated/platform';
import { Field } from '@constancia/web';
import { QrCode } from '@constancia/web/qr-code';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCall, useRecord } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { SESSIONS } from '../shared/use-session.ts';
import { useIdentityText } from '../text/language.ts';
import '@constancia/web/qr.css';

type NewSession = components['schemas']['OpenSessionBody'];
type Opened = components['schemas']['OpenedSession'];

/** Opens a session whose person takes it on our page; the link is shown once. */
export function LinkDialog({ onClose }: { onClose: () => void }) {
  const { words } = useIdentityText();
  const call = useCall();
  const [opened, setOpened] = useState<Opened | null>(null);
  if (opened?.capture_url !== undefined) {
    return (
      <SecretDialog title={words.link.created} secret={opened.capture_url} onClose={onClose}>
        <QrCode content={opened.capture_url} label={words.link.qr} />
        <p>
          <Link to="/identity/sessions/$id" params={{ id: opened.id }}>
            {words.link.show}
          </Link>
        </p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={words.link.create}
      lead={words.link.lead}
      submit={words.link.create}
      onClose={onClose}
      onSubmit={async (form, idempotencyKey) => {
        const params = { header: { 'Idempotency-Key': idempotencyKey } };
        const body = sessionOf(form);
        setOpened(await call(({ platform }) => platform.POST('/v1/flows/sessions', { params, body }), SESSIONS));
        return 'open';
      }}
    >
      <LinkFields />
    </FormDialog>
  );
}

const DOCUMENT_TYPES = ['CC', 'CE', 'TI', 'PA', 'PPT'] as const;

function LinkFields() {
  const { words } = useIdentityText();
  const flows = useRecord(['flows', 'published'], ({ platform }) =>
    platform.GET('/v1/flows', { params: { query: { status: 'published', limit: 100 } } }),
  );
  return (
    <>
      <Loaded query={flows}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="empty">{words.link.noFlow}</p>
          ) : (
            <Field
              name="flow"
              label={words.link.flow}
              options={data.map(({ type, code }) => [`${type}/${code}`, `${type} / ${code}`] as const)}
            />
          )
        }
      </Loaded>
      <Field
        name="document_type"
        label={words.link.documentType}
        options={DOCUMENT_TYPES.map((type) => [type, type] as const)}
      />
      <Field name="document_number" label={words.link.documentNumber} maxLength={64} required />
      <Field
        name="country"
        label={words.link.country}
        hint={words.link.countryHint}
        pattern="[A-Z]{2}"
        maxLength={2}
        defaultValue="CO"
        required
      />
      <Field name="external_ref" label={words.link.reference} hint={words.link.referenceHint} maxLength={200} />
      <Field name="locale" label={words.link.locale} options={Object.entries(words.link.locales)} />
    </>
  );
}

function sessionOf(form: FormData): NewSession {
  const textOf = (name: string): string => String(form.get(name) ?? '').trim();
  const [type = '', code = ''] = textOf('flow').split('/');
  const reference = textOf('external_ref');
  return {
    ...(type !== '' && { type, code }),
    document_type: textOf('document_type') as NewSession['document_type'],
    document_number: textOf('document_number'),
    country: textOf('country'),
    locale: textOf('locale') as NewSession['locale'],
    hosted: true,
    ...(reference !== '' && { external_ref: reference }),
  };
}
