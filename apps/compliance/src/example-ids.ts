/** Identifiers in the examples of the API's description. */
export const VALIDATION_ID_EXAMPLE = 'val_01kamx8c6ne5v8d2w6tq0v1m3z';
export const RULE_ID_EXAMPLE = 'rul_01kamx8c6ne5v8d2w6tq0v1m3z';
export const SCREENING_ID_EXAMPLE = 'scr_01kamx9t2ae9x8c7t4n1h5k6p3';
export const CASE_ID_EXAMPLE = 'cas_01kamx9t3sf1v9y5d0r7wq2m4x';
export const BATCH_ID_EXAMPLE = 'scb_01kamx9t3sf1v9y5d0r7wq2m4x';
