import { type FieldError, ValidationError } from '@constancia/problem-json';

export const ORIGIN_LENGTH = 255;

/** Names and addresses alone: a URL's host may also hold `*` and `;`, which mean something else in a Content-Security-Policy. */
const EXACT = /^https?:\/\/(?:[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/;
const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/;

/** Whether a text is an exact origin of https. @param sandbox also http on this machine */
export function isExactOrigin(text: string, { sandbox }: { sandbox: boolean }): boolean {
  if (!URL.canParse(text)) return false;
  const { origin, protocol } = new URL(text);
  if (origin !== text || !EXACT.test(origin)) return false;
  return protocol === 'https:' || (sandbox && LOOPBACK.test(origin));
}

/** An origin in a body. */
export interface GivenOrigin {
  pointer: string;
  origin: string;
}

/** Throws ValidationError, at the pointer of each, unless all are exact origins that the tenant has registered by an operation. */
export function requireRegistered(
  given: readonly GivenOrigin[],
  { registered, sandbox, registeredBy }: { registered: readonly string[]; sandbox: boolean; registeredBy: string },
): void {
  const errors = given
    .filter(({ origin }) => !isExactOrigin(origin, { sandbox }) || !registered.includes(origin))
    .map(({ pointer, origin }): FieldError => {
      const detail = `Register the origin ${origin} first: ${registeredBy}.`;
      return { pointer, code: 'not_allowed', detail };
    });
  if (errors.length > 0) throw new ValidationError(errors);
}
