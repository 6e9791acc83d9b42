import { MAX_INT32, TEXT_PATTERN } from '@constancia/contracts';
import { longestMatch } from './longest-match.ts';

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
 * Adds to every schema what follows from what it states: the length from the format or the pattern, the width from the bounds; and
 * what holds of every text of the API, that it has no NUL, where it states nothing else. What does not follow is not added: the linter
 * asks for it, and the code has to say it.
 */
export function addImpliedLimits(node: unknown, name?: string): void {
  if (Array.isArray(node)) {
    for (const inner of node) addImpliedLimits(inner);
    return;
  }
  if (typeof node !== 'object' || node === null || name === 'example' || name === 'examples') return;
  const schema = node as Node;
  const types = [schema.type].flat();
  if (name !== 'properties' && types.includes('string')) limitText(schema);
  if (name !== 'properties' && types.includes('integer')) limitInteger(schema);
  for (const [member, inner] of Object.entries(schema)) addImpliedLimits(inner, member);
}

function limitText(schema: Node): void {
  if ('enum' in schema || 'const' in schema) return;
  const { format, pattern, maxLength } = schema as { format?: string; pattern?: string; maxLength?: number };
  if (maxLength === undefined) {
    const longest = format === undefined ? longestMatch(pattern ?? '') : FORMAT_LENGTHS[format];
    if (longest !== undefined && Number.isFinite(longest)) schema.maxLength = longest;
  }
  if (format === undefined && pattern === undefined) schema.pattern = TEXT_PATTERN;
}

function limitInteger(schema: Node): void {
  const { minimum, maximum, format } = schema as { minimum?: number; maximum?: number; format?: string };
  if (format !== undefined || minimum === undefined || maximum === undefined) return;
  schema.format = minimum >= -MAX_INT32 - 1 && maximum <= MAX_INT32 ? 'int32' : 'int64';
}
