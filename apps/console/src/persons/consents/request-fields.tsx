import { PERSONAL_DOCUMENTS } from '@constancia/reference-data/document-types';
import type { components } from '@constancia/sdk/generated/platform';
import { Field } from '@constancia/web';
import { useState } from 'react';
import { textIn } from '../../parts/text-in.ts';
import { Ticks } from '../../parts/ticks.tsx';
import { usePersonText } from '../text/language.ts';

type NewRequest = components['schemas']['RequestPresentationBody'];
type Discovery = components['schemas']['DiscoverBody'];
type Channel = NewRequest['channel'];

/** How a person is asked, for what, and why; their document only where a mail goes to them. */
export function RequestFields() {
  const { words } = usePersonText();
  const { consents } = words;
  const [channel, setChannel] = useState<Channel>('qr');
  return (
    <>
      <div
        onChange={({ target }) => {
          if (target instanceof HTMLSelectElement) setChannel(target.value as Channel);
        }}
      >
        <Field name="channel" label={consents.channel} options={Object.entries(consents.channels)} />
      </div>
      {channel === 'registered_contact' && (
        <fieldset className="ticks">
          <legend>{consents.document}</legend>
          <p className="help">{consents.documentLead}</p>
          <Field
            name="document_type"
            label={consents.documentType}
            options={PERSONAL_DOCUMENTS.map((type) => [type, type] as const)}
          />
          <Field name="document_number" label={consents.documentNumber} maxLength={64} required />
          <Field name="country" label={consents.country} pattern="[A-Z]{2}" maxLength={2} defaultValue="CO" required />
        </fieldset>
      )}
      <Field name="purpose" label={consents.purpose} hint={consents.purposeHint} maxLength={140} required />
      <Ticks
        name="claims"
        label={consents.claims}
        hint={consents.claimsHint}
        options={Object.entries(consents.claimTexts)}
        ticked={['full_name']}
      />
      <Field name="max_age_days" type="number" min={1} label={consents.age} defaultValue="365" required />
      <Field name="external_ref" label={consents.reference} hint={consents.referenceHint} maxLength={200} />
    </>
  );
}

const askedOf = (form: FormData) => ({
  purpose: textIn(form, 'purpose'),
  claims: form.getAll('claims') as NonNullable<NewRequest['claims']>,
  max_age_days: Number(textIn(form, 'max_age_days')),
});

/** Whom to ask, where they are asked by mail; null: the person who opens the link. */
export function discoveryOf(form: FormData): Discovery | null {
  if (textIn(form, 'channel') !== 'registered_contact') return null;
  return {
    document_type: textIn(form, 'document_type') as Discovery['document_type'],
    document_number: textIn(form, 'document_number'),
    country: textIn(form, 'country'),
    ...askedOf(form),
  };
}

export function requestOf(form: FormData, discoveryId: string | undefined): NewRequest {
  const reference = textIn(form, 'external_ref');
  return {
    channel: textIn(form, 'channel') as Channel,
    ...(discoveryId === undefined ? { wallet_hint: 'qr', ...askedOf(form) } : { discovery_id: discoveryId }),
    ...(reference !== '' && { external_ref: reference }),
  };
}
