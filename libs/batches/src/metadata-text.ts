import { METADATA, METADATA_IN_QUERY_BYTES, metadataInQuery } from '@constancia/http';
import { type FieldError, ValidationError } from '@constancia/problem-json';

export const METADATA_TEXT = {
  description:
    `A JSON object of at most ${METADATA.members} texts of your own, included in answers and in the event: names of at most ` +
    `${METADATA.nameLength} characters, values of at most ${METADATA.valueLength}, ${METADATA_IN_QUERY_BYTES} bytes in all. Put no personal data here.`,
  example: '{"branch":"chapinero"}',
} as const;

/** The metadata in a query. Throws ValidationError for a text that is no such object. */
export function metadataOf(text: string | undefined): Record<string, string> {
  const errors: FieldError[] = [];
  const metadata = metadataInQuery(text, errors);
  if (errors.length > 0) throw new ValidationError(errors);
  return metadata;
}
