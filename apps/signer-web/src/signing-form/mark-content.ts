import type { SignField } from '../api/sign-state.ts';
import type { MarkContent } from '../document/field-marks.tsx';
import type { Answers, Question } from '../fields/answers.ts';
import type { SignatureDraft } from '../signature/signature-choice.tsx';
import type { Messages } from '../text/messages.ts';

interface Entered {
  questions: readonly Question[];
  answers: Answers;
  draft: SignatureDraft;
  /** Whether the signature is being given: before, its place is only marked. */
  signing: boolean;
}

/** What a field's box shows while the reader works. */
export function markContent(field: SignField, entered: Entered, text: Messages): MarkContent {
  if (field.type === 'signature') return signatureContent(entered, text);
  const question = entered.questions.find(({ fields }) => fields.includes(field));
  const answer = question === undefined ? undefined : entered.answers[question.key];
  if (field.type === 'checkbox') return { text: answer === true ? '✓' : '', filled: answer === true };
  const written = typeof answer === 'string' ? answer.trim() : '';
  if (written === '') return { text: field.label ?? text.fill.names[field.type], filled: false };
  return { text: written, filled: true };
}

function signatureContent({ draft, signing }: Entered, text: Messages): MarkContent {
  const empty = { text: text.document.signHere, filled: false };
  if (!signing) return empty;
  if (draft.how === 'drawn') return draft.image === null ? empty : { text: '', filled: true, image: draft.image };
  const typed = draft.typed.trim();
  return typed === '' ? empty : { text: typed, filled: true, asSignature: true };
}
