import { beginOf } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';

/** When a key is to stop working; null: never. Refuses a time that has passed. */
export function expiryOf(text: string | null | undefined): Date | null {
  const at = beginOf(text ?? undefined) ?? null;
  if (at === null || at > new Date()) return at;
  const detail = 'Give a time in the future, or delete the key.';
  throw new ValidationError([{ pointer: '/expires_at', code: 'not_allowed', detail }]);
}
