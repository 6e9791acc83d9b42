import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { ListFileProblem } from './list-file-problem.ts';

/** One file of a list: on disk, or the bytes of an upload. */
export interface ListFile {
  /** Its name without a folder; OFAC's files are distinguished by it. */
  name: string;
  /** A fresh stream of its bytes. */
  open(): Readable;
}

/** A file, a folder, several of either, or files that are held elsewhere. */
export type ListSource = string | readonly (string | ListFile)[];

/** Parts of one OFAC set, by what stands in each. The second name is the consolidated non-SDN set's. */
export const OFAC_PARTS = {
  primary: /^(sdn|cons_prim)\.csv$/i,
  aliases: /^(alt|cons_alt)\.csv$/i,
  addresses: /^(add|cons_add)\.csv$/i,
  comments: /^(sdn_comments|cons_comments)\.csv$/i,
} as const;
const OFAC_PART = Object.values(OFAC_PARTS);
const LIST_FILE = /\.(csv|xml|json|jsonl|ndjson|txt)$/i;

/**
 * The files that a source names, a folder's in the order of their names. OFAC's sdn.csv, named alone, brings the others of its
 * set that lie beside it.
 * Throws ListFileProblem missing_file where nothing is there.
 */
export function filesOf(source: ListSource): ListFile[] {
  const parts = typeof source === 'string' ? [source] : source;
  const files = parts.flatMap((part) => (typeof part === 'string' ? filesAt(part, parts.length === 1) : [part]));
  if (files.length === 0) throw new ListFileProblem('missing_file', 'There is no list file. Name a file or a folder.');
  return files;
}

function filesAt(place: string, alone: boolean): ListFile[] {
  if (!existsSync(place)) {
    throw new ListFileProblem('missing_file', 'The file does not exist. Check the path.', {
      file: path.basename(place),
    });
  }
  if (statSync(place).isDirectory()) return filesIn(place, (name) => LIST_FILE.test(name));
  const name = path.basename(place);
  if (alone && OFAC_PARTS.primary.test(name)) {
    const consolidated = /^cons_/i.test(name);
    return filesIn(
      path.dirname(place),
      (beside) => OFAC_PART.some((part) => part.test(beside)) && /^cons_/i.test(beside) === consolidated,
    );
  }
  return [fileOnDisk(place)];
}

function filesIn(folder: string, wanted: (name: string) => boolean): ListFile[] {
  return readdirSync(folder)
    .filter(wanted)
    .sort()
    .map((name) => fileOnDisk(path.join(folder, name)));
}

function fileOnDisk(place: string): ListFile {
  return { name: path.basename(place), open: () => createReadStream(place, { highWaterMark: 256 * 1024 }) };
}
