import type { RatePolicy } from '@constancia/http';
import { EMBED_PATH } from './embed-request.ts';

/** Requests with one embed token, as published. */
const REQUESTS_PER_MINUTE = 60;

/** The limit of embed tokens. Alone, so that it is exact: a limit that refuses gives back what others took. */
export const EMBED_POLICIES: RatePolicy[] = ['GET', 'POST', 'PUT'].map((method) => ({
  name: 'embed',
  method,
  path: `/${EMBED_PATH}/*`,
  limit: REQUESTS_PER_MINUTE,
  windowSeconds: 60,
  by: { parameter: 'token' },
  replacesGeneral: true,
}));
