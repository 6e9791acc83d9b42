/** How long a text may be, in characters. */
interface Lengths {
  least?: number;
  most?: number;
}

const LEAST = /(?:longer than or equal to|at least) (\d+)/;
const MOST = /(?:shorter than or equal to|not be longer than|at most) (\d+)/;

/** The limits that the API names in the detail of a fault, such as “Must be longer than or equal to 10 characters.” */
export function lengthsIn(detail: string): Lengths {
  const [least, most] = [LEAST, MOST].map((pattern) => pattern.exec(detail)?.[1]);
  return { ...(least !== undefined && { least: Number(least) }), ...(most !== undefined && { most: Number(most) }) };
}

/** The path of the field that a fault points to: of a body (`/url`) or of a query (`/query/bundle`). */
export const fieldAt = (pointer: string): string => pointer.replace(/^\/(query\/)?/, '');
