import { createHash } from 'node:crypto';
import { SENDER } from '@constancia/contracts';
import { canonicalJson } from '@constancia/kernel';
import { sentDrawings } from '@constancia/pdf-sealing';
import type { FieldError } from '@constancia/problem-json';
import type { Circuit, CircuitField } from '../circuits/circuit.entity.ts';
import { type FieldValues, fieldValues, prefilledValues } from '../signer-requests/field-values.ts';

/** What the sender gave with an envelope: the values of their own fields, and what they suggest to each role. */
export interface GivenValues {
  sender: FieldValues;
  byRole: ReadonlyMap<string, FieldValues>;
}

const AT = '/values';

/** The sender's fields of a circuit. A circuit of an earlier release may have a signer with that role: then the sender has no fields. */
export function senderFields({ signers, fields }: Pick<Circuit, 'signers' | 'fields'>): CircuitField[] {
  return signers.some(({ role }) => role === SENDER) ? [] : fields.filter(({ signer }) => signer === SENDER);
}

/** The `values` of a new envelope, by the keys of fields, or all that is wrong with them. */
export function givenValues(
  circuit: Circuit,
  values: Record<string, unknown> = {},
): { given: GivenValues; errors: FieldError[] } {
  const own = senderFields(circuit);
  const isOwn = (key: string) => own.some((field) => field.key === key);
  const split = (mine: boolean) => Object.fromEntries(Object.entries(values).filter(([key]) => isOwn(key) === mine));
  const sender = fieldValues(own, split(true), { name: null, at: new Date() }, AT);
  const suggested = prefilledValues(circuit.fields, split(false), AT);
  const byRole = new Map<string, FieldValues>();
  for (const { key, signer } of circuit.fields) {
    const value = suggested.values[key];
    if (value !== undefined) byRole.set(signer, { ...byRole.get(signer), [key]: value });
  }
  return { given: { sender: sender.values, byRole }, errors: [...sender.errors, ...suggested.errors] };
}

/** Whether anything was given. */
export function isGiven({ sender, byRole }: GivenValues): boolean {
  return byRole.size > 0 || Object.keys(sender).length > 0;
}

/**
 * What the trail says of it: SHA-256, hex, of the canonical JSON of `{values, salts}`: all values by the keys of their fields, and the salt
 * of each signer (hex) by role. Few values are possible in a field: once a signer is erased, nothing can be guessed from it.
 */
export function valuesDigest({ sender, byRole }: GivenValues, salts: Readonly<Record<string, string>>): string {
  const values: FieldValues = Object.assign({}, sender, ...byRole.values());
  return createHash('sha256').update(canonicalJson({ values, salts })).digest('hex');
}

/** Drawings of all given values. */
export function givenDrawings(given: GivenValues, { fields }: Circuit, locale: 'es-CO' | 'en') {
  const sets: [string, FieldValues][] = [[SENDER, given.sender], ...given.byRole];
  return sets.flatMap(([role, values]) => sentDrawings({ role, values }, fields, locale));
}
