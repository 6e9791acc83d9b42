/** Columns of the file, by the names that the API has for them. Only subject_ref must be there. */
export const BATCH_COLUMNS = [
  'subject_ref',
  'subject_type',
  'full_name',
  'birth_date',
  'document_type',
  'document_number',
  'document_country',
  'country_code',
  'subject_age',
  'kyc_status',
  'amount',
  'currency',
] as const;
