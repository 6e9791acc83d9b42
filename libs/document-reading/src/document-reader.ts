import type { DocumentType } from '@constancia/reference-data';

/** What can be distinguished: both cédulas de ciudadanía, cédula de extranjería, tarjeta de identidad, passport, PPT. */
export type DocumentKind = 'cc_yellow' | 'cc_digital' | 'ce' | 'ti' | 'passport' | 'ppt';

/** Encoded images (JPEG, PNG or WebP), as they were uploaded. The back is where cédulas carry barcode and MRZ. */
export interface DocumentImages {
  front: Uint8Array;
  back?: Uint8Array;
  /** What the session was opened with. `country` is ISO 3166-1 alpha-2. What is left out is not compared. */
  expected?: ExpectedDocument;
}

export interface ExpectedDocument {
  documentType?: DocumentType;
  documentNumber?: string;
  country?: string;
}

export interface ReadingOptions {
  /** Milliseconds for the whole reading. Stages share them; one that would not end in time is not begun. */
  deadlineMs: number;
  /** The day of the reading (`YYYY-MM-DD`, Colombia) that expiry and centuries are judged by. Default: today. */
  day?: string;
}

/**
 * - pass: read, consistent, as expected, and the name confirmed by two sources.
 * - review: read, but a person has to look (`reasons` says at what). The flow goes on and ends in manual review.
 * - retry: nothing can be said about the document; the holder can take a better picture or the right document.
 * - reject: read beyond doubt, and not acceptable.
 * - error: the engine failed or ran out of time; says nothing about document or picture.
 */
export type ReadingOutcome = 'pass' | 'review' | 'retry' | 'reject' | 'error';

export const READING_REASONS = {
  retry: ['not_an_image', 'too_small', 'blurred', 'glare', 'unreadable', 'wrong_side', 'document_mismatch'],
  review: ['name_unconfirmed', 'sources_disagree', 'check_digit', 'doubtful_number', 'doubtful_date'],
  reject: ['document_expired'],
  error: ['deadline', 'engine_failure'],
} as const;
export type ReadingReason = (typeof READING_REASONS)[keyof typeof READING_REASONS][number];

export const FIELD_NAMES = [
  'document_number',
  'surnames',
  'given_names',
  'birth_date',
  'sex',
  'expiry_date',
  'nationality',
  'issuing_country',
] as const;
export type FieldName = (typeof FIELD_NAMES)[number];

/** Where a value was read: the barcode, the machine readable zone, or the text printed for people. */
export type FieldSource = 'pdf417' | 'mrz' | 'front';

/**
 * One value as read. Dates are `YYYY-MM-DD`, sex is M, F or X, countries are ISO 3166-1 alpha-2 (alpha-3 or the ICAO code
 * where there is none), document numbers have no punctuation. Names are upper case; from an MRZ they are in its alphabet (N
 * for Ñ, no accents).
 */
export interface DocumentField {
  value: string;
  source: FieldSource;
  /** 0 to 1: how sure the reading of the characters is, not how genuine the document. */
  confidence: number;
  /**
   * What spoke for it (`error_correction`, `check_digit`, `agrees:front`…) or against it (`failed:check_digit`…; `doubtful_characters`: the
   * picture leaves characters open, and the field has no check digit of its own, whatever the others say).
   */
  checks: string[];
  /** Names: two sources agree. Other fields: covered by error correction or a check digit, and nothing contradicts. */
  trusted: boolean;
}

/** Check digits of an MRZ, each right or wrong; `composite` is the one over the others' fields. */
export type CheckDigits = Partial<
  Record<'document_number' | 'birth_date' | 'expiry_date' | 'optional' | 'composite', boolean>
>;

export interface ImageQuality {
  side: 'front' | 'back';
  width: number;
  height: number;
  /** Variance of the Laplacian of the picture at 640 px, contrast normalised; sharp photos have over 300. */
  sharpness: number;
  /** Share of the picture (0 to 1) that is burnt out. */
  glare: number;
  /** Degrees by which the barcode's rows or the MRZ's lines lean, when either was found. */
  skewDegrees: number | null;
  reasons: ('too_small' | 'blurred' | 'glare')[];
}

export interface DocumentReading {
  outcome: ReadingOutcome;
  /** Why, the weightiest first; empty for pass. All belong to the outcome (READING_REASONS). */
  reasons: ReadingReason[];
  kind: DocumentKind | null;
  /** Only what was read. Personal data: never log it, never put it in a queue in clear. */
  fields: Partial<Record<FieldName, DocumentField>>;
  /** True when surnames and given names are both trusted. */
  nameTrusted: boolean;
  checkDigits: CheckDigits;
  quality: ImageQuality[];
  engine: string;
  modelVersion: string;
  tookMs: number;
}

/**
 * The port that the biometrics worker reads documents through. An implementation never throws for what an image holds: every
 * image, hostile ones too, has an outcome. It keeps nothing between calls, logs no value, and ends within
 * `options.deadlineMs` (plus the stage that is running, at most about 300 ms), with outcome error and reason deadline if it
 * has to. Adapters of outside engines turn the answer into DocumentEvidence and leave the verdict to `judgeDocument`, so that
 * all engines judge alike.
 */
export interface DocumentReader {
  readonly engine: string;
  readonly modelVersion: string;
  read(images: DocumentImages, options: ReadingOptions): Promise<DocumentReading>;
}
