import { isMet } from '@constancia/contracts';
import type { CircuitField } from '../circuits/circuit.entity.ts';
import type { FieldValues } from './field-values.ts';
import type { SignerFacts } from './found-signer.ts';

/**
 * A signer's own fields, without those that what others filled in hides. The conditions that are left rest on own fields alone. Once the
 * document is sealed the values of others are gone: every own field is there then, and none is required.
 */
export function ownFields(
  { role, envelope_status }: Pick<SignerFacts, 'role' | 'envelope_status'>,
  all: readonly CircuitField[],
  others: FieldValues,
): CircuitField[] {
  const own = all.filter(({ signer }) => signer === role);
  if (envelope_status === 'sealed') return own.map(({ visible_if: _, ...field }) => ({ ...field, required: false }));
  const byKey = new Map(all.map((field) => [field.key, field]));
  const isPossible = ({ visible_if: condition }: CircuitField): boolean => {
    if (!condition) return true;
    const source = byKey.get(condition.field);
    if (!source || !isPossible(source)) return false;
    return source.signer === role || isMet(condition, others);
  };
  return own.filter(isPossible).map((field) => {
    const { visible_if: condition, ...unconditional } = field;
    return condition && byKey.get(condition.field)?.signer === role ? field : unconditional;
  });
}
