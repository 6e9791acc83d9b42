import { SENDER } from '@constancia/contracts/field-conditions';
import type { components } from '@constancia/sdk/generated/signing';
import { Field } from '@constancia/web';
import { textIn } from '../../parts/text-in.ts';
import type { CircuitRow } from '../circuits/circuit-fields.ts';
import { useSigningText } from '../text/language.ts';

type Asked = CircuitRow['fields'][number];
type Values = NonNullable<components['schemas']['CreateEnvelopeBody']['values']>;
type GivenValue = Values[string];

const nameOf = ({ key }: Asked): string => `value_${key}`;
const isSenders = ({ signer }: Asked): boolean => signer === SENDER;
/** Signatures, and boxes that must be ticked, are the signer's alone. */
const canBePrefilled = ({ type, required }: Asked): boolean =>
  type !== 'signature' && !(type === 'checkbox' && required);

/** What the sender fills in, and what they may fill in for the signers. */
export function ValueFields({ circuit: { fields, signers } }: { circuit: CircuitRow }) {
  const { words } = useSigningText();
  const hasSender = !signers.some(({ role }) => role === SENDER);
  const own = hasSender ? fields.filter(isSenders) : [];
  const others = fields.filter((field) => !own.includes(field) && canBePrefilled(field));
  return (
    <>
      {own.length > 0 && (
        <fieldset className="signer-row">
          <legend>{words.send.own}</legend>
          {own.map((field) => (
            <ValueField key={field.key} of={field} required={field.required && field.visible_if === undefined} />
          ))}
        </fieldset>
      )}
      {others.length > 0 && (
        <details>
          <summary>{words.send.prefill}</summary>
          <p className="help">{words.send.prefillHint}</p>
          {others.map((field) => (
            <ValueField key={field.key} of={field} required={false} />
          ))}
        </details>
      )}
    </>
  );
}

function ValueField({ of: field, required }: { of: Asked; required: boolean }) {
  const { words, signerRole } = useSigningText();
  const { key, type, signer, label } = field;
  const shown = label ?? `${words.circuits.types[type]} (${key})`;
  const named = { name: nameOf(field), label: isSenders(field) ? shown : `${signerRole(signer)}: ${shown}`, required };
  if (type === 'checkbox') {
    const answers = [['', '–'], ['true', words.circuits.yes], ['false', words.circuits.no]] as const; // prettier-ignore
    return <Field {...named} options={answers} />;
  }
  return <Field {...named} type={type === 'date' ? 'date' : 'text'} maxLength={2000} />;
}

/** What was filled in, as part of a body. */
export function valuesIn(form: FormData, { fields }: CircuitRow): { values?: Values } {
  const given = fields.flatMap((field): [string, GivenValue][] => {
    const text = textIn(form, nameOf(field));
    if (text === '') return [];
    return [[field.key, field.type === 'checkbox' ? text === 'true' : text]];
  });
  return given.length > 0 ? { values: Object.fromEntries(given) } : {};
}

/** The errors of values, by the names of their fields in the form. */
export const valueFaults = (refused: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(refused).flatMap(([member, fault]) =>
      member.startsWith('values/') ? [[`value_${member.slice('values/'.length)}`, fault]] : [],
    ),
  );
