/** Example values of schemas: what the API's description gives, else the plainest value that fits. */
import { type Schema, referredName } from '../described.ts';

export type Schemas = Record<string, Schema>;

const BY_FORMAT: Record<string, string> = {
  date: '1990-05-17',
  'date-time': '2026-11-27T15:00:00.000Z',
  email: 'ana.gomez@example.com',
  uri: 'https://www.example.com/',
  uuid: '0b3c6a7e-52a1-4a57-8a0e-8d6c2a7f5e10',
};

/** An example body: members with an example of their own, and all that are required. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  if (schema.example !== undefined) return schema.example;
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  const name = referredName(schema);
  if (name !== undefined) return exampleOf(schemas[name] as Schema, schemas);
  const alternatives = schema.allOf ?? schema.anyOf ?? schema.oneOf;
  if (alternatives) return exampleOf(alternatives[0] as Schema, schemas);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  return plain(schema, schemas);
}

function plain(schema: Schema, schemas: Schemas): unknown {
  switch ([schema.type ?? 'null'].flat()[0]) {
    case 'object':
      return objectOf(schema, schemas);
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => exampleOf(schema.items ?? {}, schemas));
    case 'string':
      return BY_FORMAT[schema.format ?? ''] ?? matching(schema.pattern ?? '') ?? 'text';
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    default:
      return null;
  }
}

function objectOf(schema: Schema, schemas: Schemas): Record<string, unknown> {
  const required = new Set(schema.required ?? []);
  const shown = Object.entries(schema.properties ?? {}).filter(
    ([name, value]) => required.has(name) || value.example !== undefined,
  );
  return Object.fromEntries(shown.map(([name, value]) => [name, exampleOf(value, schemas)]));
}

/** A text of a prefix and classes of characters, each repeated so often: ids and tokens. Undefined for other patterns. */
function matching(pattern: string): string | undefined {
  const parts = [
    ...pattern.replace(/^\^|\$$/g, '').matchAll(/\[([^\]^\\])[^\]]*\](?:\{(\d+)\})?|\\([/.])|([\w:-])|(.)/g),
  ];
  if (parts.length === 0 || parts.some(([, , , , , other]) => other !== undefined)) return undefined;
  return parts.map(([, first, times, escaped, literal]) => (first ? first.repeat(Number(times ?? 1)) : (escaped ?? literal))).join(''); // prettier-ignore
}
