import { Notice, Table } from '@constancia/web';
import { useScreeningText } from '../text/language.ts';
import { columnOf, type RowFault } from './batch-file.ts';

/** So that a file that is wrong in every line can still be shown. */
const MOST_SHOWN = 100;

/** What is wrong with the rows of a file, by line. */
export function RowFaults({ faults }: { faults: readonly RowFault[] }) {
  const { words, text, locale, number } = useScreeningText();
  const sentence = ({ code, detail }: RowFault) => text.faults[code] ?? (locale === 'en' ? detail : text.faults.other);
  return (
    <>
      <Notice tone="error">
        {words.batch.faults(faults.length, number(faults.length))}{' '}
        {faults.length > MOST_SHOWN && words.batch.faultsShown(number(MOST_SHOWN))}
      </Notice>
      <Table
        caption={words.batch.faultsTitle}
        rows={faults.slice(0, MOST_SHOWN)}
        keyOf={({ pointer, code }) => `${pointer} ${code}`}
        columns={[
          { title: words.batch.line, of: ({ line }) => number(line) },
          { title: words.batch.column, of: (fault) => <code>{columnOf(fault)}</code> },
          { title: words.batch.fault, of: sentence, wide: true },
        ]}
      />
    </>
  );
}
