/** Operations as methods that describe a call. */
import { type DescribedOperation, type Parameter, type Schema, referredName } from '../described.ts';
import { typeOf } from './models.ts';
import { docstring, indented, listed, quoted, snake } from './text.ts';

const isJson = (type: string) => type === 'application/json';

interface Answer {
  /** The annotation, and the expression that says how to read it. */
  type: string;
  read: string;
}

/** The method of an operation; where it also answers files, a second one that asks for one of them. */
export function methodsOf(operation: DescribedOperation): string[][] {
  const types = Object.keys(operation.answers);
  const files = types.filter((type) => !isJson(type));
  const first = method(operation, snake(operation.id), answerOf(operation));
  if (files.length === 0 || files.length === types.length) return [first];
  return [first, method(operation, `${snake(operation.id)}_as`, { type: 'Download', read: 'Download' }, files)];
}

function answerOf({ answers, mayBeEmpty }: DescribedOperation): Answer {
  const json = answers['application/json'];
  if (!json) {
    const nothing = Object.keys(answers).length === 0;
    return nothing ? { type: 'None', read: 'None' } : { type: 'Download', read: 'Download' };
  }
  const names = (json.anyOf ?? [json]).map((schema) => referredName(schema) ?? 'Status');
  const read = names.length > 1 ? `Union[${names.join(', ')}]` : (names[0] as string);
  return { type: `${names.join(' | ')}${mayBeEmpty ? ' | None' : ''}`, read };
}

/** The lines, if they are needed. */
const only = (needed: boolean, ...lines: string[]): string[] => (needed ? lines : []);

function method(operation: DescribedOperation, name: string, answer: Answer, files: string[] = []): string[] {
  const { parameters, body, summary, description } = operation;
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const named = parameters.filter((parameter) => parameter.in !== 'path');
  const bodies = Object.entries(body?.content ?? {});
  const [mediaType, bodySchema] = bodies[0] ?? [];
  const positional = [
    ...only(files.length > 0, `media_type: Literal[${files.map(quoted).join(', ')}]`),
    ...inPath.map(({ name: parameter }) => `${snake(parameter)}: str`),
    ...(bodySchema ? [`body: ${bodyType(bodySchema)}${body?.required ? '' : ' | None = None'}`] : []),
  ];
  const keywords = [
    ...only(bodies.length > 1, `content_type: Literal[${bodies.map(([type]) => quoted(type)).join(', ')}]`),
    ...[...named].sort((a, b) => Number(b.required ?? false) - Number(a.required ?? false)).map(argument),
  ];
  const signature = ['self', ...positional, ...only(keywords.length > 0, '*', ...keywords)];
  const pairs = (kind: string) =>
    named
      .filter((parameter) => parameter.in === kind)
      .map((parameter) => `${quoted(parameter.name)}: ${snake(parameter.name)}`);
  const [query, headers] = [pairs('query'), [...only(files.length > 0, '"Accept": media_type'), ...pairs('header')]];
  const contentType =
    bodies.length > 1 ? 'content_type' : mediaType && !isJson(mediaType) ? quoted(mediaType) : undefined;
  const call = [
    quoted(operation.method),
    pathOf(operation.path, inPath),
    answer.read,
    ...only(query.length > 0, ...dictionary('query', query)),
    ...only(headers.length > 0, ...dictionary('headers', headers)),
    ...only(bodySchema !== undefined, 'body=body'),
    ...(contentType ? [`content_type=${contentType}`] : []),
  ];
  return [
    '@operation',
    ...listed(`def ${name}(`, signature, `) -> Call[${answer.type}]:`),
    ...indented([
      ...docstring(`${summary}${/[.?!]$/.test(summary) ? '' : '.'}`, description, notes(named)),
      ...listed('return Call(', call, ')', 8),
    ]),
  ];
}

/** On one line, or an item on each. */
function dictionary(name: string, items: string[]): string[] {
  return [listed(`${name}={`, items, '}', 12).join('\n            ')];
}

function argument({ name, required, schema }: Parameter): string {
  return `${snake(name)}: ${parameterType(schema)}${required ? '' : ' | None = None'}`;
}

function notes(parameters: Parameter[]): string {
  return parameters
    .filter(({ description, name }) => description && name !== 'cursor' && name !== 'limit')
    .map(({ name, description }) => `${snake(name)}: ${description}`)
    .join('\n');
}

/** Values of the API's own types: no model reads them. */
function parameterType(schema: Schema): string {
  return typeOf(schema, { owner: '', open: false, inner: [] })
    .replace(/\bInt\b/, 'int')
    .replace(/\bNumber\b/, 'float')
    .replace('dt.datetime', 'str')
    .replace('dt.date', 'str');
}

function bodyType(schema: Schema): string {
  return referredName(schema) ?? 'bytes';
}

function pathOf(path: string, parameters: Parameter[]): string {
  if (parameters.length === 0) return quoted(path);
  return `f"${path.replace(/\{([^}]+)\}/g, (_, name: string) => `{segment(${snake(name)})}`)}"`;
}
