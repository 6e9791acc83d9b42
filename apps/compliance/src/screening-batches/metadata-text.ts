import { METADATA, metadataProblem } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';

/** An address has room for no more. */
export const METADATA_BYTES = 4_096;

export const METADATA_TEXT = {
  description:
    `A JSON object of at most ${METADATA.members} texts of your own, included in answers and in the event: names of at most ` +
    `${METADATA.nameLength} characters, values of at most ${METADATA.valueLength}, ${METADATA_BYTES} bytes in all. Put no personal data here.`,
  example: '{"branch":"chapinero"}',
} as const;

/** The metadata in a query. Throws ValidationError for a text that is no such object. */
export function metadataOf(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  const metadata = parsed(text);
  const problem = metadataProblem(metadata, { maxBytes: METADATA_BYTES });
  if (problem === null) return metadata as Record<string, string>;
  throw new ValidationError([
    { pointer: '/query/metadata', code: 'wrong_format', detail: `Must be JSON: ${problem}.` },
  ]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
