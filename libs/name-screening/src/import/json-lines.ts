import { ListFileProblem } from './list-file-problem.ts';
import type { ListFile } from './list-source.ts';
import type { Reading } from './reading.ts';

export type JsonObject = Readonly<Record<string, unknown>>;

/**
 * The objects of a file with one JSON object per line. Throws ListFileProblem truncated (the last line is half an object),
 * malformed (another one is), wrong_format (the first line is no object), too_large.
 */
export async function* jsonLines(reading: Reading, file: ListFile): AsyncGenerator<JsonObject> {
  let line = 0;
  let rest = '';
  for await (const text of reading.text(file)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > reading.limits.maxRecordCharacters) {
      throw new ListFileProblem('too_large', 'One line is larger than any list has. Check that it holds one object.', {
        file: file.name,
        line: line + 1,
      });
    }
    for (const candidate of lines) {
      line += 1;
      if (candidate.trim()) yield objectOf(candidate, { file: file.name, line }, 'malformed');
    }
  }
  if (rest.trim()) yield objectOf(rest, { file: file.name, line: line + 1 }, 'truncated');
}

function objectOf(
  text: string,
  place: { file: string; line: number },
  otherwise: 'malformed' | 'truncated',
): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (place.line === 1) {
      throw new ListFileProblem(
        'wrong_format',
        'The first line is no JSON object. One object per line is needed.',
        place,
      );
    }
    const detail =
      otherwise === 'truncated'
        ? 'The last line is half an object: the file was cut. Download it again.'
        : 'The line is no JSON object. Download the file again.';
    throw new ListFileProblem(otherwise, detail, place);
  }
  if (isObject(value)) return value;
  throw new ListFileProblem('wrong_format', 'The line holds no object. One object per line is needed.', place);
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The texts among the values of a member that holds a list, or a single value. */
export function texts(value: unknown): string[] {
  return (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === 'string');
}

/** The objects among the values of a member that holds a list. */
export function objects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
