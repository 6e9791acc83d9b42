/** Schemas as pydantic models. */
import { type Schema, referredName } from '../described.ts';
import { docstring, fieldName, indented, listed, pascal, quoted } from './text.ts';

/** Members that are shown once must not be shown again by a log line with the whole model. */
const SECRET = /(^|_)(api_key|secret|token|jwt)$/;

interface Context {
  /** What an object inside is named after. */
  owner: string;
  /** The service may answer values that this release does not know. */
  open: boolean;
  /** Classes of the objects inside, in the order in which they must be written. */
  inner: string[][];
}

/** The class, or the alias of an enumeration, that a named schema becomes, with those of the objects inside before it. */
export function modelOf(name: string, schema: Schema, open: boolean): string[][] {
  if (!schema.properties) {
    const { kind, values } = enumerationOf(schema);
    if (kind === undefined) return [[`${name} = ${typeOf(schema, { owner: name, open, inner: [] })}`]];
    return [open ? literal(`${name} = Union[`, values, ', str]') : literal(`${name} = `, values)];
  }
  const inner: string[][] = [];
  const own = classOf(name, schema, { open, inner });
  return [...inner, own];
}

/** A class for a schema with properties. */
export function classOf(name: string, schema: Schema, context: Omit<Context, 'owner'>, base?: string): string[] {
  const parent = base ?? (schema.additionalProperties === false && !context.open ? 'ClosedModel' : 'Model');
  const required = new Set(schema.required ?? []);
  const fields = Object.entries(schema.properties ?? {}).flatMap(([member, value]) =>
    fieldOf(member, value, required.has(member), { ...context, owner: `${name}${pascal(member)}` }),
  );
  const doc = docstring(schema.description ?? '');
  const body = [...doc, ...(doc.length > 0 && fields.length > 0 ? [''] : []), ...fields];
  return [`class ${name}(${parent}):`, ...indented(body.length > 0 ? body : ['pass'])];
}

function fieldOf(member: string, schema: Schema, required: boolean, context: Context): string[] {
  const name = fieldName(member);
  const { kind, values, nullable } = enumerationOf(schema);
  const rest = [...(context.open && kind === 'string' ? ['str'] : []), ...(nullable || !required ? ['None'] : [])];
  const options = [
    ...(name === member ? [] : [`alias=${quoted(member)}`]),
    ...(SECRET.test(member) ? ['repr=False'] : []),
  ];
  const given = required ? (options.length > 0 ? ` = Field(..., ${options.join(', ')})` : '') : ` = ${options.length > 0 ? `Field(None, ${options.join(', ')})` : 'None'}`; // prettier-ignore
  const tail = `${rest.map((one) => ` | ${one}`).join('')}${given}`;
  const doc = docstring(schema.description ?? '');
  if (kind !== undefined) return [...literal(`${name}: `, values, tail), ...doc];
  const type = typeOf(schema, context);
  const optional = required || / \| None$/.test(type) || type === 'Any' ? '' : ' | None';
  return [...broken(`${name}: ${type}${optional}${given}`), ...doc];
}

/** A line that is too long for its enumeration. */
function broken(line: string): string[] {
  const [, head, items, tail] = /^(.*?\bLiteral\[)([^\]]*)(\].*)$/.exec(line) ?? [];
  return head === undefined || items === undefined ? [line] : listed(head, items.split(', '), tail as string);
}

/** true → True. */
const constant = (value: unknown) => JSON.stringify(value).replace(/^[tf]/, (letter) => letter.toUpperCase());

function literal(head: string, values: unknown[], tail = ''): string[] {
  return listed(`${head}Literal[`, values.map(constant), `]${tail}`);
}

/** The values of an enumeration that is written in place, if the schema is one. */
function enumerationOf(schema: Schema): { kind?: string; values: unknown[]; nullable: boolean } {
  const values = schema.const !== undefined ? [schema.const] : (schema.enum ?? []);
  const nullable = values.includes(null) || (Array.isArray(schema.type) && schema.type.includes('null'));
  const texts = values.filter((value) => value !== null);
  return texts.length > 0 ? { kind: typeof texts[0], values: texts, nullable } : { values: [], nullable };
}

/** The annotation of a schema. */
export function typeOf(schema: Schema, context: Context): string {
  const { kind, values, nullable } = enumerationOf(schema);
  if (kind !== undefined) {
    const texts = values.map(constant).join(', ');
    return `Literal[${texts}]${context.open && kind === 'string' ? ' | str' : ''}${nullable ? ' | None' : ''}`;
  }
  const referred = referredName(schema);
  if (referred !== undefined) return referred;
  const alternatives = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (alternatives) return union(alternatives.map((one) => typeOf(one, context)));
  const types = [schema.type ?? []].flat();
  return union(
    [...types].sort((a, b) => Number(a === 'null') - Number(b === 'null')).map((type) => plain(type, schema, context)),
  );
}

function plain(type: string, schema: Schema, context: Context): string {
  switch (type) {
    case 'null':
      return 'None';
    case 'boolean':
      return 'bool';
    case 'integer':
      return 'Int';
    case 'number':
      return 'Number';
    case 'array':
      return `List[${schema.items ? typeOf(schema.items, { ...context, owner: `${context.owner}Item` }) : 'Any'}]`;
    case 'object':
      return objectType(schema, context);
    default:
      return { 'date-time': 'dt.datetime', date: 'dt.date', binary: 'bytes' }[schema.format ?? ''] ?? 'str';
  }
}

function objectType(schema: Schema, context: Context): string {
  if (schema.properties) {
    context.inner.push(classOf(context.owner, { ...schema, description: '' }, context));
    return context.owner;
  }
  const { additionalProperties: values } = schema;
  return `Dict[str, ${typeof values === 'object' ? typeOf(values, { ...context, owner: `${context.owner}Value` }) : 'Any'}]`;
}

function union(types: string[]): string {
  const different = [...new Set(types.flatMap((type) => (type.includes('[') ? [type] : type.split(' | '))))];
  if (different.length === 0) return 'Any';
  return [...different.filter((type) => type !== 'None'), ...(different.includes('None') ? ['None'] : [])].join(' | ');
}
