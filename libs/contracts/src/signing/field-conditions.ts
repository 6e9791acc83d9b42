/** The reserved signer of a circuit's fields that the sender fills in when the envelope is created. */
export const SENDER = 'sender';

/** A field is shown while another one has this value. A checkbox that is not ticked has the value false. */
export interface FieldCondition {
  field: string;
  equals: string | boolean;
}

interface ConditionalField {
  key: string;
  visible_if?: FieldCondition | null;
}

/** The fields that are shown with these values, in their order. A condition on a field that is not shown, or not among these, is not met. */
export function visibleFields<Field extends ConditionalField>(
  fields: readonly Field[],
  values: Readonly<Record<string, string | boolean>>,
): Field[] {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const isVisible = ({ visible_if: condition }: Field): boolean => {
    if (!condition) return true;
    const source = byKey.get(condition.field);
    return source !== undefined && isVisible(source) && isMet(condition, values);
  };
  return fields.filter(isVisible);
}

export function isMet({ field, equals }: FieldCondition, values: Readonly<Record<string, string | boolean>>): boolean {
  const value = Object.hasOwn(values, field) ? values[field] : undefined;
  return (value ?? (typeof equals === 'boolean' ? false : undefined)) === equals;
}
