import { SENDER } from '@constancia/contracts/field-conditions';
import { Notice, Tick } from '@constancia/web';
import { useState } from 'react';
import { Loaded } from '../../parts/loaded.tsx';
import { FieldEditor } from '../editor/field-editor.tsx';
import type { Fields } from '../editor/use-fields.ts';
import { useSigningText } from '../text/language.ts';
import { TextEntry } from '../text-entry.tsx';
import {
  CIRCUIT_LIMITS,
  type CircuitField,
  circuitFieldAt,
  circuitSample,
  type CircuitSigner,
  type FieldType,
  SENDER_TYPES,
} from './circuit-fields.ts';
import { ConditionEntry } from './condition-entry.tsx';
import { FieldChoice } from './field-choice.tsx';
import { useBasePdf } from './use-circuit.ts';

interface DraftFieldsProps {
  id: string;
  sha256: string;
  signers: readonly CircuitSigner[];
  fields: Fields<CircuitField>;
}

/** The fields of the signers on the pages of a draft. */
export function DraftFields({ id, sha256, signers, fields }: DraftFieldsProps) {
  const { words, samples, signerRole } = useSigningText();
  const pdf = useBasePdf(id, sha256);
  const [chosen, setRole] = useState('');
  const [type, setType] = useState<FieldType>('signature');
  const known = chosen === SENDER || signers.some((signer) => signer.role === chosen);
  const role = known ? chosen : (signers[0]?.role ?? '');
  const typeFor = (whose: string, wanted: FieldType): FieldType =>
    whose === SENDER && !SENDER_TYPES.includes(wanted) ? 'text' : wanted;
  const nameOf = ({ type: kind, signer }: CircuitField): string =>
    `${words.circuits.types[kind]} · ${signerRole(signer)}`;
  const choice = { signers, roleLabel: words.circuits.signer };
  if (signers.length === 0) return <Notice tone="news">{words.circuits.noSigners}</Notice>;
  return (
    <Loaded query={pdf}>
      {(file) => (
        <FieldEditor
          file={file}
          fields={fields}
          limits={CIRCUIT_LIMITS}
          tools={
            <FieldChoice
              {...choice}
              role={role}
              type={type}
              onRole={(next) => {
                setRole(next);
                setType(typeFor(next, type));
              }}
              onType={setType}
            />
          }
          create={(box) => circuitFieldAt({ type, signer: role, stem: words.circuits.keys[type] }, box, fields.all)}
          labelOf={nameOf}
          toneOf={({ signer }) =>
            Math.max(
              0,
              signers.findIndex((one) => one.role === signer),
            ) % 4
          }
          sampleOf={(field) => circuitSample(field, samples)}
          details={(field) => (
            <>
              <FieldChoice
                {...choice}
                role={field.signer}
                type={field.type}
                onRole={(signer) => fields.change(field.id, { signer, type: typeFor(signer, field.type) })}
                onType={(kind) => fields.change(field.id, { type: kind })}
              />
              <TextEntry
                label={words.circuits.label}
                help={words.circuits.labelHint}
                value={field.label}
                most={200}
                onText={(label) => fields.change(field.id, { label })}
              />
              {field.type !== 'signature' && (
                <Tick
                  id={`required-${field.id}`}
                  label={words.circuits.required}
                  required={false}
                  ticked={field.required}
                  onTick={(required) => fields.change(field.id, { required })}
                />
              )}
              {field.type !== 'signature' && field.signer !== SENDER && (
                <Tick
                  id={`locked-${field.id}`}
                  label={words.circuits.locked}
                  required={false}
                  ticked={field.locked === true}
                  onTick={(locked) => fields.change(field.id, { locked })}
                />
              )}
              <ConditionEntry
                of={field}
                fields={fields.all}
                signers={signers}
                onCondition={(condition) => fields.change(field.id, { visible_if: condition })}
              />
            </>
          )}
        />
      )}
    </Loaded>
  );
}
