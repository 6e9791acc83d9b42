import { Readable } from 'node:stream';
import { importList, type ImportOptions, type ImportedList } from './import-list.ts';
import type { ListFormat } from './detect-format.ts';
import { ListFileProblem } from './list-file-problem.ts';
import type { ListFile } from './list-source.ts';

/** A list file of a test, in pieces of a few bytes: what spans two pieces must be read all the same. */
export function file(name: string, content: string | Buffer, pieceBytes = 7): ListFile {
  const bytes = Buffer.from(content);
  return {
    name,
    open: () =>
      Readable.from(
        (function* () {
          for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
        })(),
      ),
  };
}

export function importText(
  content: string | Buffer,
  format: ListFormat | 'auto' = 'auto',
  options: ImportOptions = {},
): Promise<ImportedList> {
  return importList(format, [file('list', content)], options);
}

/** The problem of an import that must fail. */
export async function problemOf(importing: Promise<unknown>): Promise<ListFileProblem> {
  const problem = await importing.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (problem instanceof ListFileProblem) return problem;
  throw new Error(`expected a ListFileProblem, saw ${String(problem)}`);
}
