import { TokenRefused } from '@constancia/signed-jwt';
import type { JwtRefusal } from '@constancia/signed-jwt';

/** Why a status list is refused, beside what can be wrong with any signed token. */
export type StatusListRefusal = JwtRefusal | 'subject' | 'index';

export const refused = (reason: StatusListRefusal, message: string, cause?: unknown): TokenRefused<StatusListRefusal> =>
  new TokenRefused(reason, message, cause);
