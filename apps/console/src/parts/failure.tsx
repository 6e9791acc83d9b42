import { Button, Notice } from '@constancia/web';
import { ApiError } from '../api/api-error.ts';
import { useText } from '../text/language.ts';

/** What went wrong, in the reader's words, and the way to try again. */
export function Failure({ error, onAgain }: { error: unknown; onAgain?: () => void }) {
  const { text, sentenceOf } = useText();
  return (
    <Notice tone="error">
      <p>{sentenceOf(error)}</p>
      {error instanceof ApiError && error.status >= 500 && error.requestId !== '' && (
        <p>
          {text.requestId} <code>{error.requestId}</code>
        </p>
      )}
      {onAgain !== undefined && <Button onPress={onAgain}>{text.again}</Button>}
    </Notice>
  );
}
