import { RegExpParser } from '@eslint-community/regexpp';
import { MAX_INT32, TEXT_PATTERN } from '@constancia/contracts';
import { getLengthRange } from 'regexp-ast-analysis';

type Node = Record<string, unknown>;

/** The most characters of a text of each format: of a time, as every answer writes it (UTC with milliseconds). */
const FORMAT_LENGTHS: Record<string, number> = {
  'date-time': 24,
  date: 10,
  uuid: 36,
  email: 254,
  uri: 2048,
};

/**
 * Completes every schema with what follows from it: the length of a format or an anchored pattern, the width of an integer, and that
 * no text has a NUL where nothing else is stated. Limits that do not follow are stated in the code; the linter asks for them.
 */
export function completeLimits(node: unknown, name?: string): void {
  if (Array.isArray(node)) {
    for (const inner of node) completeLimits(inner);
    return;
  }
  if (typeof node !== 'object' || node === null || name === 'example' || name === 'examples') return;
  const schema = node as Node;
  const types = [schema.type].flat();
  if (name !== 'properties' && types.includes('string')) limitText(schema);
  if (name !== 'properties' && types.includes('integer')) limitInteger(schema);
  for (const [member, inner] of Object.entries(schema)) completeLimits(inner, member);
}

function limitText(schema: Node): void {
  if ('enum' in schema || 'const' in schema) return;
  const { format, pattern, maxLength } = schema as { format?: string; pattern?: string; maxLength?: number };
  if (maxLength === undefined) {
    const longest = format === undefined ? longestText(pattern ?? '') : FORMAT_LENGTHS[format];
    if (longest !== undefined && Number.isFinite(longest)) schema.maxLength = longest;
  }
  if (format === undefined && pattern === undefined) schema.pattern = TEXT_PATTERN;
}

function limitInteger(schema: Node): void {
  const { minimum, maximum, format } = schema as { minimum?: number; maximum?: number; format?: string };
  if (format !== undefined || minimum === undefined || maximum === undefined) return;
  schema.format = minimum >= -MAX_INT32 - 1 && maximum <= MAX_INT32 ? 'int32' : 'int64';
}

/** The most characters of a text that an anchored pattern matches; Infinity without a bound, undefined where it is not anchored. */
export function longestText(pattern: string): number | undefined {
  const flags = { ignoreCase: false, unicode: true };
  const { alternatives } = new RegExpParser().parsePattern(pattern, undefined, undefined, { unicode: true });
  const anchored = alternatives.every(({ elements }) => {
    const [first, last] = [elements.at(0), elements.at(-1)];
    return first?.type === 'Assertion' && first.kind === 'start' && last?.type === 'Assertion' && last.kind === 'end';
  });
  return anchored ? getLengthRange(alternatives, flags).max : undefined;
}
