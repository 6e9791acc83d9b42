import { Button, Entry, Notice, Tick, Title, useAnnounce, useFocus } from '@constancia/web';
import { type ReactNode, type SyntheticEvent, useEffect, useRef, useState } from 'react';
import type { Locale } from '../api/sign-state.ts';
import { type Answers, type Fault, type Faults, faultsOf, isDate, type Question } from '../fields/answers.ts';
import { calendarDay } from '../text/dates.ts';
import { useLanguage } from '../text/language.ts';
import type { Messages } from '../text/messages.ts';
import { labelsOf } from './labels.ts';

/** The id of a question's input. */
export const entryId = (key: string): string => `field-${key}`;

interface FillProps {
  questions: readonly Question[];
  answers: Answers;
  onAnswer: (key: string, answer: string | boolean) => void;
  /** What the server did not accept, if anything. */
  refused: Faults;
  onShow: (question: Question) => void;
  /** The focus is on a question: its place can be pointed out. */
  onPoint: (question: Question) => void;
  onDone: () => void;
  onBack: () => void;
}

/** The fields as a list: what keyboards and screen readers work with. */
export function Fill({ questions, answers, onAnswer, refused, onShow, onPoint, onDone, onBack }: FillProps) {
  const { text } = useLanguage();
  const focus = useFocus();
  const [faults, setFaults] = useState<Faults>(refused);
  const labels = labelsOf(questions, text);
  const count = Object.keys(faults).length;
  const { current: firstRefused } = useRef(questions.find(({ key }) => key in refused)?.key);
  useEffect(() => {
    if (firstRefused !== undefined) focus(entryId(firstRefused));
  }, [firstRefused, focus]);

  const announce = useAnnounce();
  const asked = useRef(questions.length);
  useEffect(() => {
    if (asked.current !== questions.length) announce(text.fill.asked(questions.length));
    asked.current = questions.length;
  }, [announce, questions.length, text]);

  const check = (event: SyntheticEvent): void => {
    event.preventDefault();
    const found = faultsOf(questions, answers);
    setFaults(found);
    const first = questions.find(({ key }) => key in found);
    if (first === undefined) onDone();
    else focus(entryId(first.key));
  };
  const answer = (key: string, given: string | boolean): void => {
    onAnswer(key, given);
    if (key in faults) setFaults(Object.fromEntries(Object.entries(faults).filter(([other]) => other !== key)));
  };

  return (
    <>
      <Title>{text.fill.title}</Title>
      <p className="lead">{text.fill.lead}</p>
      <form onSubmit={check} noValidate>
        {count > 0 && <Notice tone="warning">{text.fill.faults(count)}</Notice>}
        {questions.map((question) => (
          <div key={question.key} onFocus={() => onPoint(question)}>
            <Asked
              question={question}
              label={labels[question.key] ?? ''}
              answer={answers[question.key]}
              fault={faultText(faults[question.key], text)}
              onAnswer={(given) => answer(question.key, given)}
              aside={
                <Button
                  look="quiet"
                  label={text.fill.show(labels[question.key] ?? '')}
                  onPress={() => onShow(question)}
                >
                  {text.fill.showShort}
                </Button>
              }
            />
          </div>
        ))}
        <div className="actions">
          <Button look="primary" submit>
            {text.fill.submit}
          </Button>
          <Button onPress={onBack}>{text.sign.backToRead}</Button>
        </div>
      </form>
    </>
  );
}

interface AskedProps {
  question: Question;
  label: string;
  answer: string | boolean | undefined;
  fault: string | null;
  onAnswer: (answer: string | boolean) => void;
  aside: ReactNode;
}

/** As the service takes them. */
const LONGEST_VALUE = 2_000;
const AUTOCOMPLETE: Partial<Record<Question['type'], string>> = { name: 'name' };

function Asked({ question, label, answer, fault, onAnswer, aside }: AskedProps) {
  const { text, locale } = useLanguage();
  const { key, type, required } = question;
  const id = entryId(key);
  if (question.locked) return <Fixed {...{ id, question, label, answer, aside }} />;
  if (type === 'checkbox') {
    const named = (
      <>
        {label} <span className="mark">({required ? text.page.required : text.page.optional})</span>
      </>
    );
    return <Tick id={id} label={named} ticked={answer === true} onTick={onAnswer} {...{ required, fault, aside }} />;
  }
  const help = helpOf(question, answer, text, locale);
  return (
    <Entry {...{ id, label, required, help, fault, aside }} marked>
      {(wiring) => (
        <input
          {...wiring}
          type={type === 'date' ? 'date' : 'text'}
          className={type === 'initials' ? 'short' : undefined}
          maxLength={LONGEST_VALUE}
          autoComplete={AUTOCOMPLETE[type] ?? 'off'}
          value={typeof answer === 'string' ? answer : ''}
          onChange={(event) => onAnswer(event.target.value)}
        />
      )}
    </Entry>
  );
}

/** What the sender has fixed: it can be read, and not changed. */
function Fixed({
  id,
  question,
  label,
  answer,
  aside,
}: Pick<AskedProps, 'question' | 'label' | 'answer' | 'aside'> & { id: string }) {
  const { text, locale } = useLanguage();
  const written = typeof answer === 'boolean' ? (answer ? text.sign.yes : text.sign.no) : (answer ?? '');
  const shown = question.type === 'date' && isDate(written) ? calendarDay(written, locale) : written;
  return (
    <Entry {...{ id, label, required: false, help: text.fill.fixed, fault: null, aside }}>
      {(wiring) => <input {...wiring} type="text" readOnly value={shown} />}
    </Entry>
  );
}

/** A date is shown in words, too: browsers show their own order of day and month. */
function helpOf({ type, fields }: Question, answer: string | boolean | undefined, text: Messages, locale: Locale) {
  if (type === 'initials' && fields.length > 1) return text.fill.initialsHelp(fields.length);
  return type === 'date' && typeof answer === 'string' && isDate(answer) ? calendarDay(answer, locale) : undefined;
}

function faultText(fault: Fault | undefined, text: Messages): string | null {
  if (fault === undefined) return null;
  const { missing, unticked, badDate, refused } = text.fill;
  return { missing, unticked, 'bad-date': badDate, refused }[fault];
}
