/** Of the queries that read screenings. */
export const SCREENINGS = ['screenings'];

/** Of the queries that read batches. */
export const BATCHES = ['screening-batches'];
