import { Refused } from '../api/capture-api.ts';
import { type Requests, useRequest } from './use-request.ts';

export type { Requests };

/** 401: of a frame whose access token no longer works. */
const ENDS: readonly number[] = [401, 404, 409];

/** Requests of one part of the page. That nothing can be done with the link any more goes to `onGone`. */
export function useLinkRequest(onGone: () => void): Requests {
  return useRequest(onGone, (error) => error instanceof Refused && ENDS.includes(error.status));
}
