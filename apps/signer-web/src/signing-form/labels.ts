import type { Question } from '../fields/answers.ts';
import type { Messages } from '../text/messages.ts';

/** What to call each question; two of the same kind without a label are distinguished by their page. */
export function labelsOf(questions: readonly Question[], text: Messages): Record<string, string> {
  const plain = ({ label, type }: Question): string => label ?? text.fill.names[type];
  return Object.fromEntries(
    questions.map((question) => {
      const name = plain(question);
      const alone = questions.filter((other) => plain(other) === name).length === 1;
      const page = question.fields[0]?.page ?? 1;
      return [question.key, alone ? name : `${name} · ${text.fill.onPage(page)}`];
    }),
  );
}
