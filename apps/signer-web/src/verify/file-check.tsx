import { type DragEvent, useEffect, useRef, useState } from 'react';
import type { Locale } from '../api/sign-state.ts';
import { dateAndTime } from '../text/dates.ts';
import type { PublicEnvelope } from './answers.ts';
import { checkFile, type FileVerdict } from './check-file.ts';
import { Facts } from './facts.tsx';
import { Check, Cross, VerdictMark } from './marks.tsx';
import { WORDS } from './language.ts';

type Progress = { state: 'waiting' } | { state: 'checking' | 'done'; name: string; verdict?: FileVerdict };

/** Takes a file by the picker or by dropping it, and says what it is. */
export function FileCheck({ envelope, language }: { envelope: PublicEnvelope | null; language: Locale }) {
  const words = WORDS[language];
  const [progress, setProgress] = useState<Progress>({ state: 'waiting' });
  const [over, setOver] = useState(false);
  const latest = useRef(0);
  useDropsOnlyHere();

  const check = async (file: File | undefined) => {
    if (!file) return;
    const own = ++latest.current;
    setProgress({ state: 'checking', name: file.name });
    const verdict = await checkFile(file, envelope);
    if (own === latest.current) setProgress({ state: 'done', name: file.name, verdict });
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void check(event.dataTransfer.files[0]);
  };
  return (
    <section className="check" aria-busy={progress.state === 'checking'}>
      <div
        className={over ? 'drop over' : 'drop'}
        onDragOver={() => setOver(true)}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <label className="choose">
          <input
            type="file"
            accept="application/pdf,.pdf"
            aria-describedby="stays"
            onChange={(event) => {
              void check(event.target.files?.[0]);
              event.target.value = ''; // the same file may be chosen again
            }}
          />
          <span className="button primary">{progress.state === 'waiting' ? words.choose : words.chooseAnother}</span>
        </label>
        <span className="or help">{words.drop}</span>
        <p id="stays" className="help">
          {words.stays}
        </p>
      </div>
      <div role="status">
        {progress.state === 'checking' && <p>{words.checking}</p>}
        {progress.state === 'done' && progress.verdict && (
          <Verdict verdict={progress.verdict} name={progress.name} envelope={envelope} language={language} />
        )}
      </div>
    </section>
  );
}

/** A file dropped beside the place for it would open in this page's stead. */
function useDropsOnlyHere(): void {
  useEffect(() => {
    const refuse = (event: Event) => event.preventDefault();
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

interface Shown {
  verdict: FileVerdict;
  name: string;
  envelope: PublicEnvelope | null;
  language: Locale;
}

/** The public id of the envelope whose history belongs to the file; null when there is none. */
function trailOf(verdict: FileVerdict): string | null {
  if (verdict.outcome === 'other') return verdict.publicId;
  const sealed = verdict.outcome === 'authentic' || verdict.outcome === 'unproven';
  return (sealed && verdict.document?.public_id) || null;
}

function Verdict({ verdict, name, envelope, language }: Shown) {
  const words = WORDS[language];
  const anything = envelope === null && verdict.outcome === 'unknown';
  const { title, text } = anything ? words.unknownInAll : words.outcomes[verdict.outcome];
  const sealed = verdict.outcome === 'authentic' || verdict.outcome === 'unproven';
  const trail = trailOf(verdict);
  return (
    <div className={`verdict ${verdict.outcome}`}>
      <h2>
        <VerdictMark good={verdict.outcome === 'authentic'} />
        {title}
      </h2>
      <p className="file">{name}</p>
      <p>{text}</p>
      {sealed && (
        <ul className="proofs">
          <li>
            <Check />
            <span>{words.sameBytes}</span>
          </li>
          <li>
            {verdict.outcome === 'authentic' ? <Check /> : <Cross />}
            <span>{verdict.outcome === 'authentic' ? words.signatureHolds : words.signatureFails}</span>
          </li>
          {verdict.proof.signed_at && (
            <li>
              <Check />
              <span>
                {words.sealedAt}:{' '}
                <time dateTime={verdict.proof.signed_at}>{dateAndTime(verdict.proof.signed_at, language)}</time>
              </span>
            </li>
          )}
        </ul>
      )}
      {'sha256' in verdict && !sealed && (
        <p className="hash">
          <span>{words.fileHash}</span> <code>{verdict.sha256}</code>
        </p>
      )}
      {trail && (
        <p>
          <a href={`/verify/${trail}`}>{words.showTrail}</a>
        </p>
      )}
      {sealed && verdict.document && <Facts proof={verdict.proof} baseSha256={null} words={words} />}
    </div>
  );
}
