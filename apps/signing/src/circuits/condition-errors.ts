import { SENDER } from '@constancia/contracts';
import { isDay } from '@constancia/kernel';
import type { FieldError } from '@constancia/problem-json';
import type { Circuit, CircuitField } from './circuit.entity.ts';

/** What is wrong with the conditions of fields: each rests on a field that is filled in before, or at the same time by the same signer. */
export function conditionErrors({ signers, fields }: Pick<Circuit, 'signers' | 'fields'>): FieldError[] {
  const orders = new Map(signers.map(({ role, order }) => [role, order]));
  const orderOf = (role: string): number => orders.get(role) ?? (role === SENDER ? 0 : Infinity);
  const byKey = new Map(fields.map((field) => [field.key, field]));
  return fields.flatMap((field, at) => {
    const condition = field.visible_if;
    if (!condition) return [];
    const pointer = `/fields/${at}/visible_if`;
    const source = byKey.get(condition.field);
    if (!source) return [error(`${pointer}/field`, 'unknown_field', 'No field of the definition has this key.')];
    if (source.signer !== field.signer && orderOf(source.signer) >= orderOf(field.signer)) {
      const detail = `Field ${source.key} is filled in by ${source.signer}, who does not fill it in before ${field.signer}.`;
      return [error(`${pointer}/field`, 'not_earlier', detail)];
    }
    if (isInCycle(field, byKey)) return [error(pointer, 'cycle', 'The condition leads back to its own field.')];
    return typeError(source, condition.equals, `${pointer}/equals`);
  });
}

function isInCycle(field: CircuitField, byKey: ReadonlyMap<string, CircuitField>): boolean {
  const seen = new Set<string>();
  let next = field.visible_if && byKey.get(field.visible_if.field);
  while (next && !seen.has(next.key)) {
    if (next.key === field.key) return true;
    seen.add(next.key);
    next = next.visible_if && byKey.get(next.visible_if.field);
  }
  return false;
}

function typeError({ key, type }: CircuitField, equals: string | boolean, pointer: string): FieldError[] {
  if (type === 'signature') {
    return [error(pointer, 'wrong_type', `Field ${key} is a signature: it has no value to compare.`)];
  }
  if ((type === 'checkbox') !== (typeof equals === 'boolean')) {
    const wanted = type === 'checkbox' ? 'true or false' : 'a text';
    return [error(pointer, 'wrong_type', `Field ${key} is of type ${type}: compare it with ${wanted}.`)];
  }
  if (type === 'date' && !isDay(String(equals))) {
    return [error(pointer, 'wrong_format', 'Must be a day, as YYYY-MM-DD.')];
  }
  return [];
}

function error(pointer: string, code: string, detail: string): FieldError {
  return { pointer, code, detail };
}
