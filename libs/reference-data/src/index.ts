export { DOCUMENT_TYPES, isDocumentType, PERSONAL_DOCUMENTS } from './document-types.ts';
export type { DocumentType, PersonalDocument } from './document-types.ts';
export { documentErrors, documentFault, documentProblem, nitCheckDigit, plainDocumentNumber } from './documents.ts';
export { isCountry, isCurrency } from './iso.ts';
export { ALL_LIST_CODES, LIST_CODES } from './list-codes.ts';
export type { ListCode } from './list-codes.ts';
export { callingCode, maskedPhone, phoneProblem } from './phone-numbers.ts';
export type { PhoneProblem } from './phone-numbers.ts';
