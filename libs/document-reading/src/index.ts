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
