import { DOCUMENT_TYPES } from '@constancia/reference-data';
import type { components } from '@constancia/sdk/generated/compliance';
import { Field } from '@constancia/web';
import { useScreeningText } from './text/language.ts';

type Payload = components['schemas']['DryRunBody']['payload'];

/** What is not a JSON object stands in the field `more` as well. */
export class MoreDataUnreadable extends Error {}

/** What is known of the subject. The fields have the names of the members of the request. */
export function SubjectFields() {
  const { words } = useScreeningText();
  const none = ['', words.noneChosen] as const;
  return (
    <>
      <Field name="payload/full_name" label={words.name} maxLength={1000} />
      <Field name="payload/birth_date" label={words.birthOrFounded} type="date" />
      <Field
        name="payload/document_type"
        label={words.documentType}
        options={[none, ...DOCUMENT_TYPES.map((type) => [type, words.documentTypes[type]] as const)]}
      />
      <Field name="payload/document_number" label={words.documentNumber} maxLength={64} />
      <Field
        name="payload/country_code"
        label={words.country}
        hint={words.countryHint}
        maxLength={2}
        pattern="[A-Za-z]{2}"
      />
      <Field name="payload/amount" label={words.amount} type="number" min={0} />
      <Field
        name="payload/currency"
        label={words.currency}
        hint={words.currencyHint}
        maxLength={3}
        pattern="[A-Za-z]{3}"
      />
    </>
  );
}

/** The fields as the payload of a screening, with the members of `more` (JSON). @throws MoreDataUnreadable */
export function payloadOf(form: FormData): Payload {
  const textOf = (name: string): string => String(form.get(name) ?? '').trim();
  const members = [...form.keys()].filter((name) => name.startsWith('payload/') && textOf(name) !== '');
  const texts = members.map((name) => [name.slice('payload/'.length), textOf(name)] as const);
  return {
    ...moreOf(textOf('more')),
    ...(Object.fromEntries(texts) as Omit<Payload, 'amount'>),
    ...(textOf('payload/amount') !== '' && { amount: Number(textOf('payload/amount')) }),
  };
}

function moreOf(text: string): Record<string, unknown> {
  if (text === '') return {};
  try {
    const more = JSON.parse(text) as unknown;
    if (typeof more === 'object' && more !== null && !Array.isArray(more)) return more as Record<string, unknown>;
  } catch {
    // said below
  }
  throw new MoreDataUnreadable('not a JSON object');
}
