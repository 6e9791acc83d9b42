import { shape } from '@constancia/contracts';

/** Documents the header Content-Disposition of an answer that is a file. */
export const FILE_NAME_HEADER = {
  description: 'A name for the file (RFC 6266).',
  schema: { type: 'string' as const, ...shape.text(1_000) },
};
