import { Button, Notice } from '@constancia/web';
import { ApiError } from '../api/api-error.ts';
import { useText } from '../text/language.ts';

interface FailureProps {
  error: unknown;
  /** What a refusal means here, by the slug of its problem, where it says more than the common sentence. */
  problems?: Readonly<Record<string, string>>;
  /** For readers who write programs: the API's own words beside those of `problems` too. */
  technical?: boolean;
  onAgain?: () => void;
}

/** Problems that the common sentence explains; errors of fields are shown at the fields. */
const EXPLAINED = new Set(['validation-error', 'forbidden', 'insufficient-acai', 'tenant-closing']);

/** The API's own words, in English, about a request that it refused. */
function detailOf(error: unknown): string {
  if (!(error instanceof ApiError) || error.suspended || error.status >= 500) return '';
  if (error.status === 401 || error.status === 429) return '';
  return EXPLAINED.has(error.slug) ? (error.faults.find(({ pointer }) => pointer === '')?.detail ?? '') : error.message;
}

/** What went wrong, in the reader's words, and the way to try again. */
export function Failure({ error, problems = {}, technical = false, onAgain }: FailureProps) {
  const { text, sentenceOf } = useText();
  const here = error instanceof ApiError ? problems[error.slug] : undefined;
  const detail = technical || here === undefined ? detailOf(error) : '';
  return (
    <Notice tone="error">
      <p>{here ?? sentenceOf(error)}</p>
      {detail !== '' && (
        <p>
          {text.apiSays} <q lang="en">{detail}</q>
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
