/** Of the queries that read screenings. */
export const SCREENINGS = ['screenings'];
