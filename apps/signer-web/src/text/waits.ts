/** No lock that ends by itself lasts as long as this: what is longer ends with the link. */
const LONGEST_LOCK_SECONDS = 2 * 3_600;

/** "1:05" of 65 seconds. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

/** Whether waiting is no help: only a new link is. */
export const isForGood = (seconds: number): boolean => seconds > LONGEST_LOCK_SECONDS;
