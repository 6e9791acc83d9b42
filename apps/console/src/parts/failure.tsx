import { Button, Notice } from '@constancia/web';
import { ApiError } from '../api/api-error.ts';
import { useText } from '../text/language.ts';

interface FailureProps {
  error: unknown;
  /** What a refusal means here, by the slug of its problem, where it says more than the common sentence. */
  problems?: Readonly<Record<string, string>>;
  /** Readers who write programs: what the API itself says of a refusal, in its English words. */
  technical?: boolean;
  onAgain?: () => void;
}

/** What went wrong, in the reader's words, and the way to try again. */
export function Failure({ error, problems = {}, technical = false, onAgain }: FailureProps) {
  const { text, sentenceOf } = useText();
  const here = error instanceof ApiError ? problems[error.slug] : undefined;
  return (
    <Notice tone="error">
      <p>{here ?? sentenceOf(error)}</p>
      {technical && isExplained(error) && (
        <p>
          {text.apiSays} <q lang="en">{error.message}</q>
        </p>
      )}
      {error instanceof ApiError && error.status >= 500 && error.requestId !== '' && (
        <p>
          {text.requestId} <code>{error.requestId}</code>
        </p>
      )}
      {onAgain !== undefined && <Button onPress={onAgain}>{text.again}</Button>}
    </Notice>
  );
}

/** Whether the API says what to change: errors of fields are shown at the fields, and a failure of the service is nobody's to explain. */
const isExplained = (error: unknown): error is ApiError =>
  error instanceof ApiError &&
  error.status >= 400 &&
  error.status < 500 &&
  error.status !== 429 &&
  error.faults.length === 0 &&
  error.message !== '';
