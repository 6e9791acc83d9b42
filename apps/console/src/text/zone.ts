/** Times, and the days of filters and of credits, are shown and read in this zone, which has no summer time. */
export const ZONE = 'America/Bogota';
