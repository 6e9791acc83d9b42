/** Cédula de ciudadanía, cédula de extranjería, tarjeta de identidad, passport, permiso por protección temporal, NIT. */
export const DOCUMENT_TYPES = ['CC', 'CE', 'TI', 'PA', 'PPT', 'NIT'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** Documents that identify a person; a NIT is a tax number. */
export const PERSONAL_DOCUMENTS = ['CC', 'CE', 'TI', 'PA', 'PPT'] as const satisfies readonly DocumentType[];
export type PersonalDocument = (typeof PERSONAL_DOCUMENTS)[number];

export function isDocumentType(text: string): text is DocumentType {
  return (DOCUMENT_TYPES as readonly string[]).includes(text);
}
