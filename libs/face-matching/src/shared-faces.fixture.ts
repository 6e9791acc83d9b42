import fs from 'node:fs';
import path from 'node:path';
import { sharedPath } from '@constancia/testing/shared-folder';

/** Photos of public figures, beside the repository and never in it. */
const FOLDER = sharedPath('faces') ?? '';
export const hasFaces = sharedPath('faces', 'master.csv') !== undefined;

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

/** The numbers of the photos of each person: the labels of master.csv and what follows from them, completed by eye. */
const PERSONS = [
  '1 2 4 5 6 7 10 11 11_reflection', '8 9 47 48 49 50 51', '3 12 53 54 55 56', '13 14 15 57 58', '16 17 59 61 62', '18 19 67', '20 21',
  '22 23', '24 25', '26 27 28 42 43 44 45 46', '29 30 31 32 33', '34 35 36 37', '38 39 40 41',
].map((numbers) => numbers.split(' ').map((number) => `img${number}.jpg`)); // prettier-ignore

/** Every pair of two photos: 148 of one person, 1,743 of two. */
export function allPairs(): LabelledPair[] {
  const photos = PERSONS.flatMap((files, person) => files.map((file) => ({ file, person })));
  return photos.flatMap((one, nth) =>
    photos.slice(nth + 1).map((other) => ({ one: one.file, other: other.file, same: one.person === other.person })),
  );
}
