export { FIELD_NAMES, READING_REASONS } from './document-reader.ts';
export type {
  CheckDigits,
  DocumentField,
  DocumentImages,
  DocumentKind,
  DocumentReader,
  DocumentReading,
  ExpectedDocument,
  FieldName,
  FieldSource,
  ImageQuality,
  ReadingOptions,
  ReadingOutcome,
  ReadingReason,
} from './document-reader.ts';
export type { DocumentEvidence, ReadValue, SourceEvidence } from './evidence.ts';
export { cedulaEvidence, mrzEvidence } from './evidence-of.ts';
export type { Confidence } from './evidence-of.ts';
export { judgeDocument, outcomeOf } from './judge.ts';
export type { Verdict } from './judge.ts';
export { LOCAL_ENGINE, LOCAL_MODEL_VERSION, LocalDocumentReader } from './local-reader.ts';
export type { LocalReaderOptions } from './local-reader.ts';
export { READER_WASM } from './barcode/zxing.ts';
export { parseCedula } from './barcode/cedula-layout.ts';
export type { CedulaRecord } from './barcode/cedula-layout.ts';
export { parseMrz } from './mrz/parse-mrz.ts';
export type { MrzRecord } from './mrz/parse-mrz.ts';
