/** Members of a screening's payload that a CSV file of a batch may have a column for. */
export const PAYLOAD_COLUMNS = [
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

/** Columns that a CSV file with a batch of screenings may have. Only subject_ref must be there. */
export const BATCH_COLUMNS = ['subject_ref', 'subject_type', ...PAYLOAD_COLUMNS] as const;
