import { visibleFields } from '@constancia/contracts/field-conditions';
import type { FieldType, SignField, SignState } from '../api/sign-state.ts';
import { todayInColombia } from '../text/dates.ts';

/** Something the reader fills in once; initials go to every place that asks for them. */
export interface Question {
  /** The key of its (first) field. */
  key: string;
  type: Exclude<FieldType, 'signature'>;
  label: string | null;
  required: boolean;
  /** The sender has fixed the answer. */
  locked: boolean;
  fields: readonly SignField[];
}

export type Answers = Readonly<Record<string, string | boolean>>;
export type Fault = 'missing' | 'unticked' | 'bad-date' | 'refused';
export type Faults = Readonly<Record<string, Fault>>;

/** All questions, shown or hidden. Initials with a prefilled value are a question of their own. */
export function questionsOf(fields: readonly SignField[]): Question[] {
  const initials = fields.filter(({ type, prefilled }) => type === 'initials' && prefilled === null);
  return fields.flatMap((field) => {
    const { key, type, required, locked } = field;
    if (type === 'signature') return [];
    const asked = { key, type, label: field.label, locked };
    if (!initials.includes(field)) return [{ ...asked, required, fields: [field] }];
    if (field !== initials[0]) return [];
    return [{ ...asked, required: initials.some((each) => each.required), fields: initials }];
  });
}

/** The fields that are shown with these answers. */
export function shownFields(
  fields: readonly SignField[],
  questions: readonly Question[],
  answers: Answers,
): SignField[] {
  const values = Object.entries(valuesOf(questions, answers));
  const written = values.map(([key, value]) => [key, typeof value === 'string' ? value.normalize('NFC') : value]);
  return visibleFields(fields, Object.fromEntries(written) as Answers);
}

/** The questions whose fields are shown. */
export function shownQuestions(questions: readonly Question[], shown: readonly SignField[]): Question[] {
  return questions.flatMap((question) => {
    const fields = question.fields.filter((field) => shown.includes(field));
    return fields.length > 0 ? [{ ...question, fields, required: fields.some(({ required }) => required) }] : [];
  });
}

/** What is filled in before the reader begins: what the sender suggests, else what the envelope and the calendar say already. */
export function firstAnswers(questions: readonly Question[], signer: SignState['signer'], now: Date): Answers {
  const before: Record<Question['type'], string | boolean> = {
    name: signer.name ?? '',
    initials: initialsOf(signer.name ?? ''),
    date: todayInColombia(now),
    text: '',
    checkbox: false,
  };
  return Object.fromEntries(questions.map(({ key, type, fields }) => [key, fields[0]?.prefilled ?? before[type]]));
}

/** "MFÑG" of "María Fernanda Ñáñez Güiza". */
export const initialsOf = (name: string): string =>
  name
    .split(/[\s.-]+/u)
    .map((word) => [...word][0] ?? '')
    .filter((letter) => /\p{L}/u.test(letter))
    .join('')
    .toLocaleUpperCase('es-CO');

export function faultsOf(questions: readonly Question[], answers: Answers): Faults {
  return Object.fromEntries(
    questions.flatMap((question) => {
      const fault = faultOf(question, answers[question.key]);
      return fault === null ? [] : [[question.key, fault]];
    }),
  );
}

function faultOf({ type, required }: Question, answer: string | boolean | undefined): Fault | null {
  if (type === 'checkbox') return required && answer !== true ? 'unticked' : null;
  const written = typeof answer === 'string' ? answer.trim() : '';
  if (written === '') return required ? 'missing' : null;
  return type === 'date' && !isDate(written) ? 'bad-date' : null;
}

export const isDate = (written: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(written);

/** What will stand on the document: the service fills in a name or a date that is left out. */
export function outcomeOf({ key, type }: Question, answers: Answers, known: Answers): string | boolean {
  const answer = answers[key] ?? '';
  const written = typeof answer === 'string' ? answer.trim() : answer;
  return written === '' && (type === 'name' || type === 'date') ? (known[key] ?? '') : written;
}

/** The values to send: one for each field; what was left empty is left out, unless the sender suggested something. */
export function valuesOf(questions: readonly Question[], answers: Answers): Record<string, string | boolean> {
  return Object.fromEntries(
    questions.flatMap(({ key, fields }) => {
      const answer = answers[key];
      const value = typeof answer === 'string' ? answer.trim() : answer;
      if (value === undefined) return [];
      const sent = value === '' ? fields.filter(({ prefilled }) => prefilled !== null) : fields;
      return sent.map((field) => [field.key, value]);
    }),
  );
}

/** What a draft that the service kept says of the questions. */
export function answersIn(questions: readonly Question[], draft: SignState['draft']): Answers {
  if (draft === null) return {};
  return Object.fromEntries(
    questions.flatMap(({ key, type, locked }) =>
      locked ? [] : [[key, draft[key] ?? (type === 'checkbox' ? false : '')]],
    ),
  );
}
