import { useEffect, useState } from 'react';
import type { Locale } from '../api/sign-state.ts';
import type { PublicEnvelope } from './answers.ts';
import { FileCheck } from './file-check.tsx';
import { Facts } from './facts.tsx';
import { Signers } from './signers.tsx';
import { StatusMark } from './marks.tsx';
import { Trail } from './trail.tsx';
import { useEnvelope } from './use-envelope.ts';
import { preferredLanguage, WORDS, type Words } from './words.ts';

const OTHER: Record<Locale, Locale> = { 'es-CO': 'en', en: 'es-CO' };

/** The page where anybody checks a document: what it is, and, for an envelope, how it came about. */
export function VerifyPage({ publicId }: { publicId: string | null }) {
  const [language, setLanguage] = useState<Locale>(() => preferredLanguage(navigator.languages));
  const [lookUp, again] = useEnvelope(publicId);
  const words = WORDS[language];
  const title = publicId === null ? words.title : words.titleOfEnvelope;
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = title;
  }, [language, title]);
  const envelope = lookUp.state === 'found' ? lookUp.envelope : null;
  return (
    <>
      <header className="top">
        <a className="brand" href="/verify">
          Constancia
        </a>
        <button type="button" className="quiet" lang={OTHER[language]} onClick={() => setLanguage(OTHER[language])}>
          {words.otherLanguage}
        </button>
      </header>
      <main>
        <h1>{title}</h1>
        {publicId === null && <p className="lead">{words.lead}</p>}
        <div aria-live="polite">
          {lookUp.state === 'loading' && <p className="lead">{words.loading}</p>}
          {lookUp.state === 'unknown' && <Notice {...words.unknownEnvelope} />}
          {lookUp.state === 'no_answer' && (
            <Notice {...words.noAnswer}>
              <button type="button" onClick={again}>
                {words.tryAgain}
              </button>
            </Notice>
          )}
          {envelope && <Standing envelope={envelope} words={words} />}
        </div>
        {lookUp.state !== 'loading' && lookUp.state !== 'no_answer' && (
          <FileCheck envelope={envelope} language={language} />
        )}
        {envelope && (
          <>
            <Signers envelope={envelope} language={language} />
            <Trail envelope={envelope} language={language} />
            <Facts proof={envelope} baseSha256={envelope.base_document_sha256} words={words} />
          </>
        )}
      </main>
    </>
  );
}

function Standing({ envelope, words }: { envelope: PublicEnvelope; words: Words }) {
  const { status, tenant } = envelope;
  return (
    <section className={`standing ${status}`}>
      <p className="status">
        <StatusMark status={status} />
        <strong>{words.statuses[status] ?? status}</strong>
      </p>
      <p>{words.statusExplained[status]}</p>
      <p className="quietly">{words.leadOfEnvelope(tenant.display_name)}</p>
    </section>
  );
}

function Notice({ title, text, children }: { title: string; text: string; children?: React.ReactNode }) {
  return (
    <section className="notice">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  );
}
