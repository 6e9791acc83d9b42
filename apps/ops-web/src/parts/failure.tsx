import { Notice, Unreachable } from '@constancia/web';
import { OpsError } from '../session.ts';
import type { Messages } from '../text/messages.ts';
import { useText } from '../text/language.ts';

/** What went wrong, in the reader's words. */
export function Failure({ error }: { error: unknown }) {
  const { text } = useText();
  return <Notice tone="error">{sentenceOf(error, text)}</Notice>;
}

function sentenceOf(error: unknown, text: Messages): string {
  if (error instanceof Unreachable) return text.unreachable;
  if (!(error instanceof OpsError)) return String(error);
  if (error.status === 401) return text.wrongToken;
  return error.message || text.refused(error.status);
}
