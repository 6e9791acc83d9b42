import { roleTitle } from '@constancia/kernel/role-title';
import { Button, Tick, Title, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import type { SignBody, SignState } from '../api/sign-state.ts';
import { type Answers, firstAnswers, outcomeOf, type Question, valuesOf } from '../fields/answers.ts';
import { useJourney } from '../journey/journey.tsx';
import { FailureNotice, useWaitSeconds } from '../journey/failure-notice.tsx';
import { SignatureChoice, type SignatureDraft } from '../signature/signature-choice.tsx';
import { calendarDay } from '../text/dates.ts';
import { useLanguage } from '../text/language.ts';
import { subjectOf } from '../text/subject.ts';
import { labelsOf } from './labels.ts';

interface SignProps {
  state: SignState;
  questions: readonly Question[];
  answers: Answers;
  draft: SignatureDraft;
  onDraft: (change: Partial<SignatureDraft>) => void;
  /** With the keys of the fields that the server did not accept. */
  onRefused: (fieldKeys: readonly string[]) => void;
  onBack: () => void;
}

/** The signature itself, and what it means. */
export function Sign({ state, questions, answers, draft, onDraft, onRefused, onBack }: SignProps) {
  const { text } = useLanguage();
  const focus = useFocus();
  const { api, attempt } = useJourney();
  const waitSeconds = useWaitSeconds();
  const [intent, setIntent] = useState(false);
  const [faults, setFaults] = useState<{ signature?: string; intent?: string }>({});
  const [busy, setBusy] = useState(false);

  const sign = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    if (busy || waitSeconds > 0) return;
    const signature = signatureOf(draft);
    const missing = draft.how === 'typed' ? text.sign.typedMissing : text.sign.drawnMissing;
    setFaults({
      ...(signature === null ? { signature: missing } : {}),
      ...(intent ? {} : { intent: text.sign.intentMissing }),
    });
    if (signature === null) return focus(draft.how);
    if (!intent) return focus('intent');
    setBusy(true);
    const body: SignBody = { signature, fields: valuesOf(questions, answers), intent: true };
    const refused = await attempt(() => api.sign(body));
    setBusy(false);
    if (refused === null) return;
    const mine = refused.fieldKeys.filter((key) => questions.some(({ fields }) => fields.some((f) => f.key === key)));
    if (mine.length > 0) return onRefused(mine);
    setFaults({ signature: draft.how === 'drawn' ? text.sign.drawnRefused : text.sign.typedRefused });
    focus(draft.how);
  };

  return (
    <>
      <Title>{text.sign.title}</Title>
      <p className="lead">{text.sign.lead}</p>
      <form onSubmit={(event) => void sign(event)} noValidate>
        <SignatureChoice
          draft={draft}
          fault={faults.signature ?? null}
          onChange={(change) => {
            onDraft(change);
            setFaults({ ...(faults.intent === undefined ? {} : { intent: faults.intent }) });
          }}
        />
        <Summary state={state} questions={questions} answers={answers} />
        <p className="effect">{text.sign.effect}</p>
        <details>
          <summary>{text.sign.recorded}</summary>
          <p>{text.sign.recordedText}</p>
        </details>
        <Tick
          id="intent"
          label={text.sign.intent}
          ticked={intent}
          fault={faults.intent ?? null}
          onTick={(ticked) => {
            setIntent(ticked);
            setFaults({ ...(faults.signature === undefined ? {} : { signature: faults.signature }) });
          }}
        />
        <FailureNotice />
        <div className="actions">
          <Button look="primary" submit busy={busy} waiting={waitSeconds > 0}>
            {busy ? text.sign.submitting : text.sign.submit}
          </Button>
          <Button onPress={onBack}>{questions.length > 0 ? text.sign.back : text.sign.backToRead}</Button>
        </div>
      </form>
    </>
  );
}

function signatureOf({ how, typed, image }: SignatureDraft): SignBody['signature'] | null {
  if (how === 'drawn') return image === null ? null : { type: 'drawn', image };
  return typed.trim() === '' ? null : { type: 'typed', text: typed.trim() };
}

/** What is about to be signed, in one look. */
function Summary({ state, questions, answers }: Pick<SignProps, 'state' | 'questions' | 'answers'>) {
  const { text, locale } = useLanguage();
  const { envelope, signer } = state;
  const labels = labelsOf(questions, text);
  const known = firstAnswers(questions, signer, new Date());
  const answerText = (question: Question): string => {
    const outcome = outcomeOf(question, answers, known);
    if (typeof outcome === 'boolean') return outcome ? text.sign.yes : text.sign.no;
    if (outcome === '') return text.sign.empty;
    return question.type === 'date' ? calendarDay(outcome, locale) : outcome;
  };
  const rows: [string, ...string[]][] = [
    [text.sign.document, subjectOf(state, text)],
    [text.sign.sender, envelope.tenant.display_name],
    [text.sign.signer, signer.name ?? '', signer.email_masked],
    [text.sign.role, roleTitle(signer.role, locale)],
    ...questions.map((question): [string, string] => [labels[question.key] ?? '', answerText(question)]),
  ];
  return (
    <section className="summary" aria-labelledby="summary-heading">
      <h2 id="summary-heading">{text.sign.summary}</h2>
      <dl>
        {rows.map(([term, ...values], index) => (
          <div key={index}>
            <dt>{term}</dt>
            <dd>
              {values.map((value) => (
                <span key={value}>{value}</span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
