import { bogotaDay } from '@constancia/kernel';
import { readCedula } from './barcode/read-cedula.ts';
import { prepareBarcodes } from './barcode/zxing.ts';
import { Deadline, DeadlinePassed } from '@constancia/kernel';
import type { DocumentImages, DocumentReader, DocumentReading, ReadingOptions } from './document-reader.ts';
import { cedulaEvidence, mrzEvidence } from './evidence-of.ts';
import type { DocumentEvidence, SourceEvidence } from './evidence.ts';
import { confirmNames } from './front/confirm-names.ts';
import { NotAnImage, decodeImage } from './image/decode-image.ts';
import type { DecodedImage } from './image/decode-image.ts';
import { qualityOf } from './image/quality.ts';
import { judgeDocument, outcomeOf } from './judge.ts';
import type { Verdict } from './judge.ts';
import { readMrz } from './mrz/read-mrz.ts';

export const LOCAL_ENGINE = 'constancia-documents';
export const LOCAL_MODEL_VERSION = 'pdf417-1+ocrb-1+print-1';

export interface LocalReaderOptions {
  /** Where zxing_reader.wasm is. Default: beside the running bundle, else in node_modules. */
  wasmPath?: string;
}

/** Pictures without anything to read must not take all the time there is. */
const SWEEP_MS = 3000;

type Side = 'front' | 'back';

interface Picture extends DecodedImage {
  side: Side;
  leanDegrees: number | null;
  /** Something machine-readable is there, read or not. */
  present: boolean;
}

/**
 * Reads documents in this process, with nothing but its own code, zxing-wasm and sharp. It works synchronously for up to a few
 * hundred milliseconds at a time: run it in a process of its own. Pictures in swapped places are read all the same.
 */
export class LocalDocumentReader implements DocumentReader {
  readonly engine = LOCAL_ENGINE;
  readonly modelVersion = LOCAL_MODEL_VERSION;
  readonly #wasmPath: string | undefined;

  constructor({ wasmPath }: LocalReaderOptions = {}) {
    this.#wasmPath = wasmPath;
  }

  async read(
    images: DocumentImages,
    { deadlineMs, day = bogotaDay(new Date()) }: ReadingOptions,
  ): Promise<DocumentReading> {
    const started = performance.now();
    const deadline = new Deadline(deadlineMs);
    let quality: DocumentReading['quality'] = [];
    let verdict: Verdict;
    try {
      await prepareBarcodes(this.#wasmPath);
      const evidence = await gather(images, deadline, day);
      quality = evidence.quality;
      verdict = judgeDocument(evidence, images.expected ?? {}, day);
      const unread = verdict.outcome === 'retry' && verdict.reasons.includes('unreadable');
      if (unread && !deadline.allows(0)) throw new DeadlinePassed();
    } catch (error) {
      verdict = failed(error);
    }
    const { engine, modelVersion } = this;
    return { ...verdict, quality, engine, modelVersion, tookMs: Math.round(performance.now() - started) };
  }
}

/** What went wrong is reported by its kind only: messages of libraries may quote what they read. */
function failed(error: unknown): Verdict {
  const reason =
    error instanceof NotAnImage ? 'not_an_image' : error instanceof DeadlinePassed ? 'deadline' : 'engine_failure';
  return { ...outcomeOf([reason]), kind: null, fields: {}, nameTrusted: false, checkDigits: {} };
}

async function gather(images: DocumentImages, deadline: Deadline, day: string): Promise<DocumentEvidence> {
  const pictures = await decoded(images, deadline);
  // Passports are read from the page with the portrait, cards from their back.
  const order = images.expected?.documentType === 'PA' ? pictures : [...pictures].reverse();
  const machine = await machineRead(order, deadline, day);
  const sources: SourceEvidence[] = machine ? [machine.evidence] : [];
  if (machine) {
    const print = printedNames(machine, pictures, deadline);
    if (print) sources.push(print);
  }
  return {
    sources,
    quality: pictures.map((picture) => qualityOf(picture.side, picture, picture.leanDegrees)),
    wrongSide: machine === null && pictures.every(({ present }) => !present),
  };
}

async function decoded({ front, back }: DocumentImages, deadline: Deadline): Promise<Picture[]> {
  const sides: [Side, Uint8Array | undefined][] = [
    ['front', front],
    ['back', back],
  ];
  const pictures: Picture[] = [];
  for (const [side, bytes] of sides) {
    if (bytes === undefined) continue;
    if (!deadline.allows(1)) throw new DeadlinePassed();
    pictures.push({ ...(await decodeImage(bytes, deadline.leftMs())), side, leanDegrees: null, present: false });
  }
  return pictures;
}

interface MachineRead {
  evidence: SourceEvidence;
  picture: Picture;
}

/** The first barcode or MRZ, likely places first; the slow sweep for barcodes comes last. */
async function machineRead(order: readonly Picture[], deadline: Deadline, day: string): Promise<MachineRead | null> {
  let doubtful: MachineRead | null = null;
  for (const picture of order) {
    const barcode = await cedulaOn(picture, deadline, false);
    if (barcode) return { evidence: barcode, picture };
    const mrz = mrzOn(picture, deadline, day);
    if (mrz && Object.values(mrz.checkDigits ?? {}).every(Boolean)) return { evidence: mrz, picture };
    if (mrz) doubtful ??= { evidence: mrz, picture };
  }
  if (doubtful) return doubtful;
  const sweep = new Deadline(Math.min(SWEEP_MS, deadline.leftMs()));
  for (const picture of order) {
    const barcode = await cedulaOn(picture, sweep, true);
    if (barcode) return { evidence: barcode, picture };
  }
  return null;
}

async function cedulaOn(picture: Picture, deadline: Deadline, sweep: boolean): Promise<SourceEvidence | null> {
  const { barcode, present } = await readCedula(picture.grey, deadline, sweep);
  if (barcode) picture.leanDegrees = barcode.leanDegrees;
  picture.present ||= present;
  return barcode && cedulaEvidence(barcode.record);
}

function mrzOn(picture: Picture, deadline: Deadline, day: string): SourceEvidence | null {
  const { mrz, present } = readMrz(picture.grey, deadline);
  picture.present ||= present;
  if (!mrz || mrz.right * 2 < mrz.checks) return null;
  picture.leanDegrees = mrz.leanDegrees;
  return mrzEvidence(mrz.lines, day, mrz.sureness);
}

/** The name as printed: on the passport's own page, on a card's other side. */
function printedNames(
  { evidence, picture }: MachineRead,
  pictures: readonly Picture[],
  deadline: Deadline,
): SourceEvidence | null {
  const [surnames, givenNames] = [evidence.fields.surnames?.value, evidence.fields.given_names?.value];
  if (!surnames || !givenNames) return null;
  const other = pictures.find((each) => each !== picture);
  const page = evidence.kind === 'passport' ? picture : other;
  if (!page) return null;
  const names = { surnames, given_names: givenNames };
  return confirmNames(page.grey, names, deadline, page === picture ? picture.leanDegrees : null);
}
