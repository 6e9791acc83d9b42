import { SENDER } from '@constancia/contracts/field-conditions';
import { Entry } from '@constancia/web';
import { useId } from 'react';
import { useSigningText } from '../text/language.ts';
import { type CircuitSigner, FIELD_TYPES, type FieldType, SENDER_TYPES } from './circuit-fields.ts';

interface FieldChoiceProps {
  signers: readonly CircuitSigner[];
  roleLabel: string;
  role: string;
  type: FieldType;
  onRole: (role: string) => void;
  onType: (type: FieldType) => void;
}

/** Whose field it is, and what they put there. */
export function FieldChoice({ signers, roleLabel, role, type, onRole, onType }: FieldChoiceProps) {
  const { words, signerRole } = useSigningText();
  const id = useId();
  const types = role === SENDER ? SENDER_TYPES : FIELD_TYPES;
  const known = role === SENDER || signers.some((signer) => signer.role === role);
  return (
    <>
      <Entry id={`${id}-role`} label={roleLabel}>
        {(wiring) => (
          <select {...wiring} value={role} onChange={(event) => onRole(event.target.value)}>
            {!known && <option value={role}>{signerRole(role)}</option>}
            {signers.map((signer) => (
              <option key={signer.role} value={signer.role}>
                {signerRole(signer.role)}
              </option>
            ))}
            <option value={SENDER}>{words.circuits.sender}</option>
          </select>
        )}
      </Entry>
      <Entry id={`${id}-type`} label={words.circuits.type}>
        {(wiring) => (
          <select {...wiring} value={type} onChange={(event) => onType(event.target.value as FieldType)}>
            {types.map((one) => (
              <option key={one} value={one}>
                {words.circuits.types[one]}
              </option>
            ))}
          </select>
        )}
      </Entry>
    </>
  );
}
