import { Button } from '@constancia/web';
import { type ReactNode, useEffect } from 'react';
import { SenderFrame } from '../components/sender-frame.tsx';
import { useLanguage } from '../text/language.ts';
import type { PublicEnvelope } from './answers.ts';
import { Facts } from './facts.tsx';
import { FileCheck } from './file-check.tsx';
import { StatusMark } from './marks.tsx';
import { Signers } from './signers.tsx';
import { Trail } from './trail.tsx';
import { useEnvelope } from './use-envelope.ts';
import { preferredLanguage, WORDS } from './language.ts';
import type { Words } from './words.ts';

/** The page where anybody checks a document: what it is, and, for an envelope, how it came about. */
export function VerifyPage({ publicId }: { publicId: string | null }) {
  const { locale, suggest } = useLanguage();
  const [lookUp, again] = useEnvelope(publicId);
  const words = WORDS[locale];
  const title = publicId === null ? words.title : words.titleOfEnvelope;
  useEffect(() => suggest(preferredLanguage(navigator.languages)), [suggest]);
  useEffect(() => {
    document.title = title;
  }, [title]);
  const envelope = lookUp.state === 'found' ? lookUp.envelope : null;
  return (
    <SenderFrame sender={envelope?.tenant ?? null}>
      <div className="verification">
        <h1>{title}</h1>
        {publicId === null && <p className="lead">{words.lead}</p>}
        <div aria-live="polite">
          {lookUp.state === 'loading' && <p className="lead">{words.loading}</p>}
          {lookUp.state === 'unknown' && <Message {...words.unknownEnvelope} />}
          {lookUp.state === 'no_answer' && (
            <Message {...words.noAnswer}>
              <Button look="primary" onPress={again}>
                {words.tryAgain}
              </Button>
            </Message>
          )}
          {envelope && <Standing envelope={envelope} words={words} />}
        </div>
        {lookUp.state !== 'loading' && lookUp.state !== 'no_answer' && (
          <FileCheck envelope={envelope} language={locale} />
        )}
        {envelope && (
          <>
            <Signers envelope={envelope} language={locale} />
            <Trail envelope={envelope} language={locale} />
            <Facts proof={envelope} baseSha256={envelope.base_document_sha256} words={words} />
          </>
        )}
      </div>
    </SenderFrame>
  );
}

function Standing({ envelope, words }: { envelope: PublicEnvelope; words: Words }) {
  const { status } = envelope;
  return (
    <section className={`standing ${status}`}>
      <p className="status">
        <StatusMark status={status} />
        <strong>{words.statuses[status] ?? status}</strong>
      </p>
      <p>{words.statusExplained[status]}</p>
    </section>
  );
}

function Message({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <section className="answer">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  );
}
