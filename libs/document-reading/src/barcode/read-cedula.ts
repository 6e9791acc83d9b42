import type { Deadline } from '@constancia/kernel';
import type { GreyImage } from '../image/grey-image.ts';
import { turned } from '../image/warp.ts';
import { parseCedula } from './cedula-layout.ts';
import type { CedulaRecord } from './cedula-layout.ts';
import { findBarcode, straightened } from './find-barcode.ts';
import type { BarcodePlace } from './find-barcode.ts';
import { readLevelPdf417 } from './zxing.ts';

/** What one attempt costs at least. */
const ATTEMPT_MS = 150;
const SWEEP_DEGREES = [3, -3, 6, -6, 9, -9, 12, -12, 15, -15, 18, -18, 20, -20];

export interface CedulaBarcode {
  record: CedulaRecord;
  leanDegrees: number;
}

export interface BarcodeSearch {
  barcode: CedulaBarcode | null;
  /** Something like a barcode is there, read or not. */
  present: boolean;
  /** A PDF417 was read that is no cédula's. */
  foreign: boolean;
}

interface Attempt {
  image: () => GreyImage;
  harder?: boolean;
  leanDegrees: number;
}

/**
 * Reads the PDF417 of a cédula at any angle and up to about 20° of perspective: first where bars are found, straightened,
 * at several sizes; then turned by what they lean; then, with `sweep`, the whole picture at the angles of a sweep.
 */
export async function readCedula(image: GreyImage, deadline: Deadline, sweep: boolean): Promise<BarcodeSearch> {
  const place = findBarcode(image);
  const search: BarcodeSearch = { barcode: null, present: place !== null, foreign: false };
  let costMs = ATTEMPT_MS;
  for (const { image: make, harder, leanDegrees } of attempts(image, place, sweep)) {
    if (!deadline.allows(costMs)) break;
    const leftMs = deadline.leftMs();
    const found = await readLevelPdf417(make(), harder);
    costMs = Math.max(costMs, leftMs - deadline.leftMs()); // what looks like bars everywhere takes long, again and again
    if (!found) continue;
    const record = parseCedula(found.bytes);
    found.bytes.fill(0); // fingerprint templates
    search.present = true;
    search.foreign = record === null;
    if (record) return { ...search, barcode: { record, leanDegrees } };
  }
  return search;
}

function* attempts(image: GreyImage, place: BarcodePlace | null, sweep: boolean): Generator<Attempt> {
  if (place) {
    const { leanDegrees } = place;
    yield { image: () => straightened(image, place, 1160), leanDegrees };
    yield { image: () => straightenedTwice(image, place), leanDegrees };
    for (const width of [1000, 1450, 870]) yield { image: () => straightened(image, place, width), leanDegrees };
    yield { image: () => straightenedTwice(image, place), harder: true, leanDegrees };
    for (const off of [0, 1.5, -1.5]) {
      yield { image: () => turned(image, leanDegrees + off), harder: true, leanDegrees };
    }
  }
  for (const quarter of sweep ? [0, 90] : []) {
    yield { image: () => turned(image, quarter), leanDegrees: quarter };
    for (const off of SWEEP_DEGREES) yield { image: () => turned(image, quarter + off), leanDegrees: quarter + off };
  }
}

/** Seen nearly straight, a barcode's sides are found better than in the photo, where print beside it may mislead. */
function straightenedTwice(image: GreyImage, place: BarcodePlace): GreyImage {
  const once = straightened(image, place, 1300);
  const again = findBarcode(once);
  return again ? straightened(once, again, 1160) : once;
}
