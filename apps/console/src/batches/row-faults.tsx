import { Notice, Table } from '@constancia/web';
import { useText } from '../text/language.ts';
import { columnOf, type RowFault } from './batch-file.ts';
import type { BatchWords } from './batch-words.ts';

/** So that a file that is wrong in every line can still be shown. */
const MOST_SHOWN = 100;

interface RowFaultsProps {
  faults: readonly RowFault[];
  words: BatchWords;
  /** They keep nothing from starting. */
  warnings?: boolean;
}

/** What is wrong with the rows of a file, by line. */
export function RowFaults({ faults, words, warnings = false }: RowFaultsProps) {
  const { text, locale, number } = useText();
  const sentence = ({ code, detail }: RowFault) => text.faults[code] ?? (locale === 'en' ? detail : text.faults.other);
  return (
    <>
      <Notice tone={warnings ? 'warning' : 'error'}>
        {warnings ? words.warnings : words.faults(faults.length, number(faults.length))}{' '}
        {faults.length > MOST_SHOWN && words.faultsShown(number(MOST_SHOWN))}
      </Notice>
      <Table
        caption={warnings ? words.warningsTitle : words.faultsTitle}
        rows={faults.slice(0, MOST_SHOWN)}
        keyOf={({ pointer, code }) => `${pointer} ${code}`}
        columns={[
          { title: words.line, of: ({ line }) => number(line) },
          { title: words.column, of: (fault) => <code>{columnOf(fault)}</code> },
          { title: words.fault, of: sentence, wide: true },
        ]}
      />
    </>
  );
}
