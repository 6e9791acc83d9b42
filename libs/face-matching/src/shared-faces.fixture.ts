import fs from 'node:fs';
import path from 'node:path';

/** Photos of public figures, beside the repository and never in it. */
const FOLDER = path.resolve(import.meta.dirname, '../../../../shared/faces');
export const hasFaces = fs.existsSync(path.join(FOLDER, 'master.csv'));

export const photo = (file: string): Buffer => fs.readFileSync(path.join(FOLDER, file));

export interface LabelledPair {
  one: string;
  other: string;
  same: boolean;
}

/** Two photos of the first pair that is labelled so. */
export function firstPair({ same }: { same: boolean }): [Buffer, Buffer] {
  const pair = labelledPairs().find((labelled) => labelled.same === same) as LabelledPair;
  return [photo(pair.one), photo(pair.other)];
}

/** The 300 pairs, as labelled. */
export function labelledPairs(): LabelledPair[] {
  const [, ...lines] = fs.readFileSync(path.join(FOLDER, 'master.csv'), 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => {
    const [one = '', other = '', decision] = line.split(',');
    return { one, other, same: decision === 'Yes' };
  });
}
