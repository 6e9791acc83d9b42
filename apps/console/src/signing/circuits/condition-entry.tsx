import { Entry } from '@constancia/web';
import { useId } from 'react';
import { useSigningText } from '../text/language.ts';
import { TextEntry } from '../text-entry.tsx';
import { type CircuitField, type CircuitSigner, sourcesOf } from './circuit-fields.ts';

interface ConditionEntryProps {
  of: CircuitField;
  fields: readonly CircuitField[];
  signers: readonly CircuitSigner[];
  onCondition: (condition: CircuitField['visible_if']) => void;
}

/** When a field is shown: always, or while another one has a value. */
export function ConditionEntry({ of: field, fields, signers, onCondition }: ConditionEntryProps) {
  const { words } = useSigningText();
  const id = useId();
  const condition = field.visible_if;
  const sources = sourcesOf(field, fields, signers);
  const source = fields.find(({ key }) => key === condition?.field);
  if (sources.length === 0 && condition === undefined) return null;
  const choose = (key: string): void => {
    const chosen = fields.find((one) => one.key === key);
    if (chosen === undefined) return onCondition(undefined);
    onCondition({ field: key, equals: chosen.type === 'checkbox' ? true : '' });
  };
  return (
    <>
      <Entry id={`${id}-field`} label={words.circuits.shown} required={false}>
        {(wiring) => (
          <select {...wiring} value={condition?.field ?? ''} onChange={(event) => choose(event.target.value)}>
            <option value="">{words.circuits.always}</option>
            {condition !== undefined && !sources.some(({ key }) => key === condition.field) && (
              <option value={condition.field}>{condition.field}</option>
            )}
            {sources.map(({ id: one, key, label }) => (
              <option key={one} value={key}>
                {words.circuits.dependsOn(label === '' ? key : label)}
              </option>
            ))}
          </select>
        )}
      </Entry>
      {condition !== undefined &&
        (source?.type === 'checkbox' ? (
          <Entry id={`${id}-value`} label={words.circuits.equals}>
            {(wiring) => (
              <select
                {...wiring}
                value={String(condition.equals)}
                onChange={(event) => onCondition({ ...condition, equals: event.target.value === 'true' })}
              >
                <option value="true">{words.circuits.ticked}</option>
                <option value="false">{words.circuits.unticked}</option>
              </select>
            )}
          </Entry>
        ) : (
          <TextEntry
            label={words.circuits.equals}
            help={source?.type === 'date' ? words.circuits.equalsDate : undefined}
            value={String(condition.equals)}
            most={200}
            required
            onText={(equals) => onCondition({ ...condition, equals })}
          />
        ))}
    </>
  );
}
