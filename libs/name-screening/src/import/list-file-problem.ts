/** What can be wrong with a list file as a whole. A list that fails in one of these ways is not imported at all. */
export const LIST_FILE_PROBLEMS = [
  'empty',
  'truncated',
  'wrong_format',
  'wrong_encoding',
  'malformed',
  'forbidden_xml',
  'too_large',
  'missing_file',
] as const;
export type ListFileProblemCode = (typeof LIST_FILE_PROBLEMS)[number];

/**
 * A list file that cannot be trusted. `detail` says in a sentence what is wrong and what to do; `file` is the name within
 * the source, `line` counts from 1 where the problem has a place.
 */
export class ListFileProblem extends Error {
  readonly file?: string;
  readonly line?: number;

  constructor(
    readonly code: ListFileProblemCode,
    readonly detail: string,
    place: { file?: string; line?: number } = {},
  ) {
    const where = [place.file, place.line && `line ${place.line}`].filter(Boolean).join(', ');
    super(where ? `${where}: ${detail}` : detail);
    this.name = 'ListFileProblem';
    this.file = place.file;
    this.line = place.line;
  }
}
