/** What the values of predicates use of JSON Schema. */
export interface ValueSchema {
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: ValueSchema[];
  items?: ValueSchema;
  maxItems?: number;
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
  description?: string;
  properties?: Record<string, ValueSchema>;
  required?: string[];
}

/** A schema in a line that people read. */
export function shapeOf(schema: ValueSchema): string {
  const { anyOf, items, properties } = schema;
  if (anyOf) return anyOf.map(shapeOf).join(', or ');
  if (items) return `list of ${shapeOf(items)} (1 to ${schema.maxItems})`;
  if (properties) return `\`{\` ${membersOf(properties, schema.required ?? [])} \`}\``;
  return scalarOf(schema);
}

function membersOf(properties: Record<string, ValueSchema>, required: readonly string[]): string {
  return Object.entries(properties)
    .map(([name, member]) => `\`${name}${required.includes(name) ? '' : '?'}\`: ${shapeOf(member)}`)
    .join('; ');
}

function scalarOf({
  type,
  const: only,
  enum: choices,
  minimum,
  maximum,
  format,
  pattern,
  description,
}: ValueSchema): string {
  if (only !== undefined) return only === true ? 'none' : `\`${String(only)}\``;
  if (choices) return choices.map((choice) => `\`${String(choice)}\``).join(' / ');
  if (description !== undefined) return description;
  if (format === 'date') return 'day, `YYYY-MM-DD`';
  if (pattern?.includes('__proto__')) return 'path into the payload, such as `a.b`';
  if (minimum !== undefined) return `${String(type)} from ${minimum} to ${maximum}`;
  if (pattern !== undefined) return `text, \`${pattern}\``;
  return [type ?? 'any'].flat().join(' or ');
}
