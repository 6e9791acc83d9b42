import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SignState } from '../api/sign-state.ts';
import { DocumentPane, type DocumentPaneHandle } from '../document/document-pane.tsx';
import { FieldMarks } from '../document/field-marks.tsx';
import type { PageSize } from '../document/open-document.tsx';
import { type Answers, type Faults, firstAnswers, type Question, questionsOf } from '../fields/answers.ts';
import { Decline } from '../journey/decline.tsx';
import { Progress } from '../journey/progress.tsx';
import { useFocus } from '../parts/focus.ts';
import type { SignatureDraft } from '../signature/signature-choice.tsx';
import { useLanguage } from '../text/language.tsx';
import { entryId, Fill } from './fill.tsx';
import { markContent } from './mark-content.ts';
import { Read } from './read.tsx';
import { Sign } from './sign.tsx';
import { useStretch } from './use-stretch.ts';

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
export function Desk({ state }: { state: SignState }) {
  const { text } = useLanguage();
  const [stretch, go] = useStretch();
  const [showing, setShowing] = useState<'form' | 'document'>('form');
  const [chosen, setChosen] = useState<string | null>(null);
  const [refused, setRefused] = useState<Faults>({});
  const focus = useFocus();
  const pane = useRef<DocumentPaneHandle>(null);
  const questions = useMemo(() => questionsOf(state.fields), [state.fields]);
  const [answers, setAnswers] = useState<Answers>(() => firstAnswers(questions, state.signer, new Date()));
  const [draft, setDraft] = useState<SignatureDraft>({
    how: 'typed',
    typed: state.signer.name ?? '',
    drawing: null,
    image: null,
  });
  useEffect(() => {
    setShowing('form');
    setChosen(null);
  }, [stretch]);

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
    const signature = state.fields.find(({ type }) => type === 'signature');
    const field = state.fields.find(({ key }) => key === chosen) ?? (stretch === 'sign' ? signature : undefined);
    if (field === undefined || stretch === 'read') return undefined;
    const shown = requestAnimationFrame(() => requestAnimationFrame(() => pane.current?.show(field.page, field.key)));
    return () => cancelAnimationFrame(shown);
  }, [state.fields, chosen, stretch, showing]);
  const choose = (key: string): void => {
    setChosen(key);
    setShowing('form');
    const question = questions.find(({ fields }) => fields.some((field) => field.key === key));
    focus(question === undefined ? 'typed' : entryId(question.key));
  };
  const refuse = (fieldKeys: readonly string[]): void => {
    const found = questions.filter(({ fields }) => fields.some(({ key }) => fieldKeys.includes(key)));
    setRefused(Object.fromEntries(found.map(({ key }) => [key, 'refused'])));
    go('fill');
  };
  const marks = (page: number, size: PageSize, width: number) => (
    <FieldMarks
      fields={state.fields.filter((field) => field.page === page)}
      {...{ size, width, chosen }}
      contentOf={(field) => markContent(field, { questions, answers, draft, signing: stretch === 'sign' }, text)}
      onChoose={stretch === 'read' ? null : choose}
    />
  );
  const afterReading = questions.length > 0 ? 'fill' : 'sign';

  return (
    <>
      <Progress state={state} step={stretch} />
      {stretch !== 'read' && <Views showing={showing} onShow={setShowing} />}
      <div className="desk" data-stretch={stretch} data-showing={stretch === 'read' ? 'both' : showing}>
        <div className="panel" key={stretch}>
          {stretch === 'read' && <Read state={state} onDone={() => go(afterReading)} />}
          {stretch === 'fill' && (
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
          {stretch === 'sign' && (
            <Sign
              {...{ state, questions, answers, draft }}
              onDraft={(change) => setDraft((last) => ({ ...last, ...change }))}
              onRefused={refuse}
              onBack={() => go(afterReading === 'fill' ? 'fill' : 'read')}
            />
          )}
          <Decline state={state} />
        </div>
        <DocumentPane ref={pane} over={marks} />
      </div>
    </>
  );
}
