import { SESSION_HOURS } from '@constancia/contracts/capture';
import { PERSONAL_DOCUMENTS } from '@constancia/reference-data/document-types';
import type { components } from '@constancia/sdk/generated/platform';
import { Button, Dialog, Field } from '@constancia/web';
import { QrCode } from '@constancia/web/qr-code';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAllRecords, useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { textIn } from '../../parts/text-in.ts';
import type { FlowView } from '../flows/step-form.ts';
import { FLOWS } from '../flows/flow-parts.tsx';
import { SESSIONS } from '../shared/use-session.ts';
import { useIdentityText } from '../text/language.ts';
import '@constancia/web/qr.css';

type NewSession = components['schemas']['OpenSessionBody'];
type Opened = components['schemas']['OpenedSession'];

/** Opens a session whose person takes it on our page; the link is shown once. */
export function LinkDialog({ onClose }: { onClose: () => void }) {
  const { text, words, number } = useIdentityText();
  const call = useCall();
  const flows = useAllRecords([...FLOWS, 'list', 'published'], ({ platform }, cursor) =>
    platform.GET('/v1/flows', { params: { query: { cursor, status: 'published', limit: 100 } } }),
  );
  const published = flows.data ?? [];
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
  if (published.length === 0) {
    return (
      <Dialog title={words.link.create} onClose={onClose}>
        <Loaded query={flows}>{() => <p className="empty">{words.link.noFlow}</p>}</Loaded>
        <div className="actions">
          <Button onPress={onClose}>{text.close}</Button>
        </div>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={words.link.create}
      lead={words.link.lead(number(SESSION_HOURS))}
      submit={words.link.create}
      onClose={onClose}
      onSubmit={async (form, idempotencyKey) => {
        const params = { header: { 'Idempotency-Key': idempotencyKey } };
        const body = sessionOf(form);
        setOpened(await call(({ platform }) => platform.POST('/v1/flows/sessions', { params, body }), SESSIONS));
        return 'open';
      }}
    >
      <LinkFields flows={published} />
    </FormDialog>
  );
}

function LinkFields({ flows }: { flows: readonly FlowView[] }) {
  const { words } = useIdentityText();
  return (
    <>
      <Field
        name="flow"
        label={words.link.flow}
        options={flows.map(({ type, code }) => [`${type}/${code}`, `${type} / ${code}`] as const)}
      />
      <Field
        name="document_type"
        label={words.link.documentType}
        options={PERSONAL_DOCUMENTS.map((type) => [type, type] as const)}
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
  const [type = '', code = ''] = textIn(form, 'flow').split('/');
  const reference = textIn(form, 'external_ref');
  return {
    type,
    code,
    document_type: textIn(form, 'document_type') as NewSession['document_type'],
    document_number: textIn(form, 'document_number'),
    country: textIn(form, 'country'),
    locale: textIn(form, 'locale') as NewSession['locale'],
    hosted: true,
    ...(reference !== '' && { external_ref: reference }),
  };
}
