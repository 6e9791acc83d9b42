/** How the value of a condition is entered. A member of `members` may be left out unless it is `required`. */
export type ValueForm =
  | { kind: 'none' }
  | { kind: 'number' | 'day' | 'text' | 'scalar' | 'texts' | 'scalars' }
  | { kind: 'choice' | 'choices'; options: readonly string[] }
  | { kind: 'members'; members: readonly (readonly [name: string, form: ValueForm])[]; required: readonly string[] };

interface Schema {
  const?: unknown;
  type?: string | string[];
  format?: string;
  enum?: readonly string[];
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
}

/** The form for a value of this JSON Schema: of several shapes the richest, which can say all that the others can. */
export function formOf(schema: object): ValueForm {
  const { const: only, type, format, enum: options, items, anyOf, properties, required } = schema as Schema;
  if (anyOf !== undefined) {
    const rich = anyOf.find((form) => form.type === 'object') ?? anyOf.find((form) => form.type === 'array');
    return rich === undefined ? { kind: 'scalar' } : formOf(rich);
  }
  if (only !== undefined) return { kind: 'none' };
  if (options !== undefined) return { kind: 'choice', options };
  if (properties !== undefined) {
    const members = Object.entries(properties).map(([name, member]) => [name, formOf(member)] as const);
    return { kind: 'members', members, required: required ?? [] };
  }
  if (type === 'array') {
    const item = formOf(items ?? {});
    if (item.kind === 'choice') return { kind: 'choices', options: item.options };
    return { kind: item.kind === 'scalar' ? 'scalars' : 'texts' };
  }
  if (type === 'integer' || type === 'number') return { kind: 'number' };
  if (Array.isArray(type)) return { kind: 'scalar' };
  return { kind: format === 'date' ? 'day' : 'text' };
}

/** A value in the shape of its form: what was written shorter means the same. */
export function inForm(form: ValueForm, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (form.kind === 'choice') return optionOf(form.options, value);
  if (form.kind === 'choices' || form.kind === 'texts' || form.kind === 'scalars') {
    const items: unknown[] = Array.isArray(value) ? value : [value];
    return form.kind === 'choices' ? items.map((item) => optionOf(form.options, item)) : items;
  }
  if (form.kind !== 'members') return value;
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  const [first] = form.required;
  const member = form.members.find(([name]) => name === first)?.[1];
  return first === undefined || member === undefined ? value : { [first]: inForm(member, value) };
}

/** The option that a value means, in whatever case it was written; one that is none stays as it is. */
const optionOf = (options: readonly string[], value: unknown): unknown =>
  typeof value === 'string'
    ? (options.find((option) => option.toUpperCase() === value.trim().toUpperCase()) ?? value)
    : value;
