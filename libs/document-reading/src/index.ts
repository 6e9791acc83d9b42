export type {
  DocumentImages,
  DocumentReader,
  DocumentReading,
  ExpectedDocument,
  FieldName,
  ReadingOptions,
  ReadingReason,
} from './document-reader.ts';
export type { ReadValue, SourceEvidence } from './evidence.ts';
export { mrzEvidence } from './evidence-of.ts';
export { judgeDocument, outcomeOf } from './judge.ts';
export { LocalDocumentReader } from './local-reader.ts';
export { READER_WASM } from './barcode/zxing.ts';
