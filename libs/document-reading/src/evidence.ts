import type { CheckDigits, DocumentKind, FieldName, FieldSource, ImageQuality } from './document-reader.ts';

/** A value with the sureness of its characters (0 to 1) and what spoke for or against it. */
export interface ReadValue {
  value: string;
  confidence: number;
  checks: string[];
}

/** All that one source said. Values in the forms that DocumentField describes. */
export interface SourceEvidence {
  source: FieldSource;
  /** What the source says the document is; null when it does not say (printed text alone, foreign identity cards). */
  kind: DocumentKind | null;
  fields: Partial<Record<FieldName, ReadValue>>;
  /** MRZ only. */
  checkDigits?: CheckDigits;
  /** MRZ of a card: the other place where issuers put the number people know (the NUIP of the digital cédula). */
  optionalNumber?: string;
}

/** What an engine gathered from the pictures; `judgeDocument` makes the reading of it. */
export interface DocumentEvidence {
  sources: SourceEvidence[];
  quality: ImageQuality[];
  /** A side of a known document was recognised, but not the one that carries the data. */
  wrongSide?: boolean;
}
