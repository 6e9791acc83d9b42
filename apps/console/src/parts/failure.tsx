import { Button, Notice } from '@constancia/web';
import { ApiError } from '../api/api-error.ts';
import { useText } from '../text/language.ts';

interface FailureProps {
  error: unknown;
  /** What a refusal means here, by the slug of its problem, where it says more than the common sentence. */
  problems?: Readonly<Record<string, string>>;
  onAgain?: () => void;
}

/** What went wrong, in the reader's words, and the way to try again. */
export function Failure({ error, problems = {}, onAgain }: FailureProps) {
  const { text, sentenceOf } = useText();
  const here = error instanceof ApiError ? problems[error.slug] : undefined;
  return (
    <Notice tone="error">
      <p>{here ?? sentenceOf(error)}</p>
      {error instanceof ApiError && error.status >= 500 && error.requestId !== '' && (
        <p>
          {text.requestId} <code>{error.requestId}</code>
        </p>
      )}
      {onAgain !== undefined && <Button onPress={onAgain}>{text.again}</Button>}
    </Notice>
  );
}
