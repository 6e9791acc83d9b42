import { useFocus } from '@constancia/web';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SignState } from '../api/sign-state.ts';
import { DocumentPane, type DocumentPaneHandle } from '../document/document-pane.tsx';
import { FieldMarks } from '../document/field-marks.tsx';
import { useDocument } from '../document/open-document.tsx';
import { useReadable } from '../document/use-readable.ts';
import type { PageSize } from '@constancia/web/pdf';
import {
  type Answers,
  answersIn,
  type Faults,
  firstAnswers,
  type Question,
  questionsOf,
  shownFields,
  shownQuestions,
  valuesOf,
} from '../fields/answers.ts';
import { Decline } from '../journey/decline.tsx';
import { Progress } from '../journey/progress.tsx';
import { shortenedName } from '../signature/shortened-name.ts';
import type { SignatureDraft } from '../signature/signature-choice.tsx';
import { useLanguage } from '../text/language.ts';
import { entryId, Fill } from './fill.tsx';
import { nextField } from './next-field.ts';
import { markContent } from './mark-content.ts';
import { Read } from './read.tsx';
import { Sign } from './sign.tsx';
import { useDraft } from './use-draft.ts';
import { useFormStep } from './use-form-step.ts';
import { useWide } from './use-wide.ts';

/** Which of the two is shown where there is no room for both. */
function Views({ showing, onShow }: { showing: 'form' | 'document'; onShow: (what: 'form' | 'document') => void }) {
  const { text } = useLanguage();
  return (
    <div className="views" role="group" aria-label={text.document.views}>
      <button type="button" aria-pressed={showing === 'form'} onClick={() => onShow('form')}>
        {text.document.form}
      </button>
      <button type="button" aria-pressed={showing === 'document'} onClick={() => onShow('document')}>
        {text.document.label}
      </button>
    </div>
  );
}

/** Where one reads, fills in and signs: the document beside the form, or one at a time where there is no room for both. */
export function SigningForm({ state }: { state: SignState }) {
  const { text } = useLanguage();
  const [step, go] = useFormStep();
  const [showing, setShowing] = useState<'form' | 'document'>('form');
  const [chosen, setChosen] = useState<string | null>(null);
  const [refused, setRefused] = useState<Faults>({});
  const focus = useFocus();
  const pane = useRef<DocumentPaneHandle>(null);
  const { readable, onDrawn } = useReadable(useDocument().document);
  const wide = useWide();
  const all = useMemo(() => questionsOf(state.fields), [state.fields]);
  const [answers, setAnswers] = useState<Answers>(() => ({
    ...firstAnswers(all, state.signer, new Date()),
    ...answersIn(all, state.draft),
  }));
  useDraft(useMemo(() => valuesOf(all, answers), [all, answers]));
  const fields = useMemo(() => shownFields(state.fields, all, answers), [state.fields, all, answers]);
  const questions = useMemo(() => shownQuestions(all, fields), [all, fields]);
  const [draft, setDraft] = useState<SignatureDraft>({
    how: 'typed',
    typed: shortenedName(state.signer.name ?? ''),
    drawing: null,
    image: null,
  });
  useEffect(() => {
    setShowing('form');
    setChosen(null);
  }, [step]);

  const point = useCallback(({ fields: [field] }: Pick<Question, 'fields'>) => setChosen(field?.key ?? null), []);
  const show = useCallback(
    (question: Question) => {
      setShowing('document');
      point(question);
    },
    [point],
  );
  // The document follows the form, as soon as it can be seen.
  useEffect(() => {
    const signature = fields.find(({ type }) => type === 'signature');
    const field = fields.find(({ key }) => key === chosen) ?? (step === 'sign' ? signature : undefined);
    if (field === undefined || step === 'read') return undefined;
    const shown = requestAnimationFrame(() => requestAnimationFrame(() => pane.current?.show(field.page, field.key)));
    return () => cancelAnimationFrame(shown);
  }, [fields, chosen, step, showing]);
  const choose = (key: string): void => {
    const question = questions.find(({ fields }) => fields.some((field) => field.key === key));
    const wanted = question === undefined ? (step === 'fill' ? 'fill' : 'sign') : 'fill';
    if (step !== wanted) go(wanted);
    setChosen(key);
    setShowing('form');
    focus(question === undefined ? 'typed' : entryId(question.key));
  };
  const entered = { questions, answers, draft, signing: step === 'sign' };
  const next = nextField(fields, chosen, (field) => !markContent(field, entered, text).filled);
  const goOn = (): void => {
    if (next === undefined) return;
    setChosen(next.key);
    pane.current?.show(next.page, next.key);
    if (wide && step !== 'read') {
      const question = questions.find(({ fields }) => fields.includes(next));
      if (question !== undefined && step === 'fill') focus(entryId(question.key));
    }
  };
  const refuse = (fieldKeys: readonly string[]): void => {
    const found = questions.filter(({ fields }) => fields.some(({ key }) => fieldKeys.includes(key)));
    setRefused(Object.fromEntries(found.map(({ key }) => [key, 'refused'])));
    go('fill');
  };
  const marks = (page: number, size: PageSize, width: number) => (
    <FieldMarks
      fields={fields.filter((field) => field.page === page)}
      {...{ size, width, chosen }}
      contentOf={(field) => markContent(field, entered, text)}
      onChoose={choose}
    />
  );
  const afterReading = questions.length > 0 ? 'fill' : 'sign';

  const panel = (
    <div className="panel" key={`panel-${step}`}>
      {step === 'read' && <Read places={fields.length} readable={readable} onDone={() => go(afterReading)} />}
      {step === 'fill' && (
        <Fill
          {...{ questions, answers, refused }}
          onAnswer={(key, answer) => setAnswers((all) => ({ ...all, [key]: answer }))}
          onShow={show}
          onPoint={point}
          onDone={() => {
            setRefused({});
            go('sign');
          }}
          onBack={() => go('read')}
        />
      )}
      {step === 'sign' && (
        <Sign
          {...{ state, questions, answers, draft }}
          onDraft={(change) => setDraft((last) => ({ ...last, ...change }))}
          onRefused={refuse}
          onBack={() => go(afterReading === 'fill' ? 'fill' : 'read')}
        />
      )}
      <Decline state={state} />
    </div>
  );
  // The focus goes through the page as the eye does: where both are shown, the document is on the left.
  const onNext = next === undefined ? null : goOn;
  const reader = <DocumentPane key="reader" ref={pane} over={marks} onNext={onNext} onDrawn={onDrawn} />;

  return (
    <>
      <Progress state={state} step={step} />
      {step !== 'read' && <Views showing={showing} onShow={setShowing} />}
      <div className="signing-form" data-form-step={step} data-showing={step === 'read' ? 'both' : showing}>
        {wide ? [reader, panel] : [panel, reader]}
      </div>
    </>
  );
}
