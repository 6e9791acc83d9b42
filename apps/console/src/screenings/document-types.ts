/** Documents that lists know a subject by. */
export const DOCUMENT_TYPES = ['CC', 'CE', 'TI', 'PA', 'PPT', 'NIT'] as const;
