import { PRICE } from '@constancia/contracts/prices';
import type { components } from '@constancia/sdk/generated/platform';
import { useAnnounce } from '@constancia/web';
import { QrCode } from '@constancia/web/qr-code';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { SecretDialog } from '../../parts/secret-dialog.tsx';
import { usePersonText } from '../text/language.ts';
import { discoveryOf, RequestFields, requestOf } from './request-fields.tsx';
import '@constancia/web/qr.css';

type Requested = components['schemas']['RequestedPresentationView'];

export const PRESENTATIONS = ['presentations'];

/** Asks a person for a verification that they keep; the link, where there is one, is shown once. */
export function RequestDialog({ onClose }: { onClose: () => void }) {
  const { words, number } = usePersonText();
  const { consents } = words;
  const call = useCall();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const [requested, setRequested] = useState<Requested | null>(null);
  /** Whom an attempt found: the next one with its key is about the same. */
  const discovered = useRef<{ key: string; id: string } | null>(null);
  // The only place that names the request: closing it leads to the request, where it can be cancelled.
  const show = (id: string): void => void navigate({ to: '/persons/consents/$id', params: { id } });
  if (requested !== null && requested.consent_url !== null) {
    return (
      <SecretDialog title={consents.created} secret={requested.consent_url} onClose={() => show(requested.id)}>
        {requested.channel === 'qr' && <QrCode content={requested.consent_url} label={consents.qr} />}
        <p>
          <Link to="/persons/consents/$id" params={{ id: requested.id }}>
            {consents.show}
          </Link>
        </p>
      </SecretDialog>
    );
  }
  return (
    <FormDialog
      title={consents.create}
      lead={consents.createLead(number(PRICE.kycReuse))}
      submit={consents.create}
      onClose={onClose}
      onSubmit={async (form, idempotencyKey) => {
        const discovery = discoveryOf(form);
        if (discovery !== null && discovered.current?.key !== idempotencyKey) {
          const { discovery_id: id } = await call(({ platform }) =>
            platform.POST('/v1/wallet/discover', { body: discovery }),
          );
          discovered.current = { key: idempotencyKey, id };
        }
        const params = { header: { 'Idempotency-Key': idempotencyKey } };
        const body = requestOf(form, discovery === null ? undefined : discovered.current?.id);
        const answer = await call(
          ({ platform }) => platform.POST('/v1/wallet/request-presentation', { params, body }),
          PRESENTATIONS,
        );
        if (answer.consent_url !== null) {
          setRequested(answer);
          return 'open';
        }
        announce(consents.asked);
        show(answer.id);
      }}
    >
      <RequestFields />
    </FormDialog>
  );
}
