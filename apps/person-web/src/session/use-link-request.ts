import { Refused } from '../api/capture-api.ts';
import { type Requests, useRequest } from './use-request.ts';

export type { Requests };

/** Requests of one part of the page. That nothing can be done with the link any more goes to `onGone`. */
export function useLinkRequest(onGone: () => void): Requests {
  return useRequest(onGone, (error) => error instanceof Refused && (error.status === 404 || error.status === 409));
}
