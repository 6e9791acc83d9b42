export {
  DOCUMENT_TYPES,
  documentErrors,
  documentProblem,
  isDocumentType,
  nitCheckDigit,
  PERSONAL_DOCUMENTS,
  plainDocumentNumber,
} from './documents.ts';
export type { DocumentType, PersonalDocument } from './documents.ts';
export { isCountry, isCurrency } from './iso.ts';
export { ALL_LIST_CODES, LIST_CODES } from './list-codes.ts';
export type { ListCode } from './list-codes.ts';
