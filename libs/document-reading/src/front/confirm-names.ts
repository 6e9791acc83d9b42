import type { Deadline } from '@constancia/kernel';
import type { ReadValue, SourceEvidence } from '../evidence.ts';
import type { GreyImage } from '../image/grey-image.ts';
import { turned } from '../image/warp.ts';
import { comparableName } from '../names.ts';
import { printDirection, printedLines } from './find-print.ts';
import type { PrintedLine } from './print-strip.ts';
import { MANY_VIEWS, ONE_VIEW, readPrint } from './read-print.ts';

/** What levelling a picture and reading one line cost on a slow core. */
const LEVEL_MS = 200;
const LINE_MS = 60;
/** A letter's width in heights of capitals: narrow faces to wide ones. */
const LETTER = { least: 0.42, most: 1.4 };

type NameField = 'surnames' | 'given_names';

/**
 * Looks for a name, known from barcode or MRZ, among the lines printed for people. Lines are read on their own, and a name is
 * found where one says exactly that, letter by letter; so a name that was misread elsewhere is not confirmed. `leanDegrees`
 * when the text's direction is known from the same picture.
 */
export function confirmNames(
  image: GreyImage,
  names: Record<NameField, string>,
  deadline: Deadline,
  leanDegrees: number | null,
): SourceEvidence {
  const fields: SourceEvidence['fields'] = {};
  const directions = leanDegrees === null ? bothWays(printDirection(image)) : [leanDegrees];
  for (const degrees of directions) {
    if (!deadline.allows(LEVEL_MS)) break;
    const level = turned(image, degrees);
    const lines = printedLines(level);
    for (const field of ['surnames', 'given_names'] as const) {
      const found = fields[field] ? null : lineSaying(names[field], level, lines, deadline);
      if (found) fields[field] = found;
    }
    if (fields.surnames || fields.given_names) break;
  }
  return { source: 'front', kind: null, fields };
}

/** Hardly anybody takes pictures upside down: the way up that turns the picture least comes first. */
function bothWays(degrees: number): number[] {
  const upright = degrees > 90 ? degrees - 180 : degrees;
  return [upright, upright + 180];
}

function lineSaying(
  name: string,
  level: GreyImage,
  lines: readonly PrintedLine[],
  deadline: Deadline,
): ReadValue | null {
  const letters = comparableName(name);
  const likely = lines.filter(({ length, cap }) => {
    const perLetter = length / cap / letters.length;
    return perLetter > LETTER.least && perLetter < LETTER.most;
  });
  for (const line of likely) {
    if (!deadline.allows(LINE_MS)) return null;
    let read = readPrint(level, line, ONE_VIEW);
    if (read.text !== letters && nearly(read.text, letters)) read = readPrint(level, line, MANY_VIEWS);
    if (read.text === letters)
      return { value: name, confidence: Math.round(read.confidence * 1000) / 1000, checks: [] };
  }
  return null;
}

/** Most letters are there, in order: worth a closer look. */
function nearly(read: string, letters: string): boolean {
  if (Math.abs(read.length - letters.length) > 0.3 * letters.length + 1) return false;
  let at = 0;
  for (const letter of read)
    if (letter === letters[at] || letter === letters[at + 1]) at += letter === letters[at] ? 1 : 2;
  return at > 0.5 * letters.length;
}
