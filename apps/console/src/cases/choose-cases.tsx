import { Button } from '@constancia/web';
import type { CaseRow } from './case-parts.tsx';
import { useCaseText } from './text/language.ts';

/** What one request assigns. */
export const MOST_AT_ONCE = 100;

interface ChooseCasesProps {
  /** Those on the page that can be assigned. */
  assignable: readonly CaseRow[];
  chosen: readonly CaseRow[];
  onChoose: (chosen: readonly CaseRow[]) => void;
  onAssign: () => void;
}

/** Chooses many cases, and assigns them. Its buttons never leave the page: the focus stays on the one that was pressed. */
export function ChooseCases({ assignable, chosen, onChoose, onAssign }: ChooseCasesProps) {
  const { words, number } = useCaseText();
  const first = assignable.slice(0, MOST_AT_ONCE);
  const isFull = chosen.length === MOST_AT_ONCE && assignable.length > MOST_AT_ONCE;
  return (
    <div className="chosen-cases" role="group" aria-label={words.bulk.group}>
      <span role="status">
        {isFull ? words.bulk.most(number(MOST_AT_ONCE)) : words.bulk.chosen(chosen.length, number(chosen.length))}
      </span>
      <Button waiting={assignable.length === 0} onPress={() => onChoose(chosen.length > 0 ? [] : first)}>
        {chosen.length > 0 ? words.bulk.none : words.bulk.all(first.length, number(first.length))}
      </Button>
      <Button look="primary" waiting={chosen.length === 0} onPress={onAssign}>
        {words.bulk.assign}
      </Button>
    </div>
  );
}
