import { Notice } from '@constancia/web';
import { useSigningText } from './text/language.ts';

interface Failed {
  failure_code?: string;
  failure_reason?: string;
  credits_refunded: number;
}

/** Why a document could not be sealed. */
export function SealingFailed({
  of: { failure_code: code, failure_reason: reason, credits_refunded: refunded },
}: {
  of: Failed;
}) {
  const { words, locale } = useSigningText();
  const known = locale === 'en' ? undefined : words.envelopes.failures[code ?? ''];
  return (
    <Notice tone="error">
      <p>{words.envelopes.failedLead}</p>
      <p>{known ?? reason}</p>
      {refunded > 0 && <p>{words.envelopes.refunded}</p>}
    </Notice>
  );
}
