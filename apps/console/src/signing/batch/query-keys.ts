/** Of the queries that read batches. */
export const BATCHES = ['envelope-batches'];
