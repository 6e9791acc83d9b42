import { Facts } from '@constancia/web';
import type { ReactNode } from 'react';
import { useScreeningText } from './text/language.ts';

interface SubjectFactsProps {
  /** What was said of the subject. */
  payload: Readonly<Record<string, unknown>>;
  /** What is known of the screening, before what was said. */
  before: readonly (readonly [name: string, value: ReactNode])[];
}

/** Who was screened, beside what was found. */
export function SubjectFacts({ payload, before }: SubjectFactsProps) {
  const { words, number, money } = useScreeningText();
  const textOf = (name: string): string | null => {
    const value = payload[name];
    if (typeof value === 'number') return number(value);
    return typeof value === 'string' && value !== '' ? value : null;
  };
  const together = (...names: string[]): string => names.map(textOf).filter(Boolean).join(' ');
  const { amount } = payload;
  const amountText =
    typeof amount === 'number' ? money(amount, textOf('currency') ?? undefined) : together('amount', 'currency');
  const { shown, rest } = restOf(payload);
  return (
    <section className="card">
      <h2>{textOf('full_name') ?? words.unnamed}</h2>
      <Facts
        pairs={[
          ...before,
          [words.document, together('document_type', 'document_number')],
          [words.birth, textOf('birth_date')],
          [words.country, textOf('country_code')],
          ...(shown ? [[words.amount, amountText] as const] : []),
        ]}
      />
      {rest !== null && (
        <details>
          <summary>{words.moreData}</summary>
          <pre className="payload">{rest}</pre>
        </details>
      )}
    </section>
  );
}

const SHOWN = ['full_name', 'document_type', 'document_number', 'birth_date', 'country_code', 'amount', 'currency'];

/** Whether there is an amount, and what has no place among the facts, as it was given. */
function restOf(payload: Readonly<Record<string, unknown>>): { shown: boolean; rest: string | null } {
  const rest = Object.entries(payload).filter(([name]) => !SHOWN.includes(name));
  return {
    shown: payload.amount !== undefined,
    rest: rest.length === 0 ? null : JSON.stringify(Object.fromEntries(rest), null, 2),
  };
}
