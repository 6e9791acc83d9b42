import { SENDER } from '@constancia/contracts/field-conditions';
import { Button, Table } from '@constancia/web';
import { saveFile } from '../../parts/save-file.ts';
import type { CircuitRow } from '../circuits/circuit-fields.ts';
import { useSigningText } from '../text/language.ts';
import { type BatchColumn, batchColumns, exampleOf, sampleFile } from './batch-columns.ts';

/** What the columns of a file are, and a file of one row that has them. */
export function ColumnGuide({ circuit }: { circuit: CircuitRow }) {
  const { words, locale, signerRole } = useSigningText();
  const { guide } = words.batch;
  const about = ({ of }: BatchColumn): string => {
    if (of.kind === 'option') return guide.options[of.option];
    if (of.kind === 'signer') return `${signerRole(of.role)}: ${guide.members[of.member]}`;
    const shown = of.label === '' ? words.circuits.types[of.type] : of.label;
    const whose = of.signer === SENDER ? guide.own : guide.prefills(signerRole(of.signer));
    return [`${shown}: ${whose}`, guide.forms[of.type]].filter((part) => part !== undefined).join(' ');
  };
  const save = (): void => {
    const text = sampleFile(circuit, locale === 'en' ? ',' : ';'); // as spreadsheets of the language open it
    saveFile(`${words.batch.sampleName}.csv`, new Blob([text], { type: 'text/csv' }));
  };
  return (
    <>
      <Button onPress={save}>{words.batch.sample}</Button>
      <details>
        <summary>{guide.title}</summary>
        <p className="help">{guide.lead}</p>
        <Table<BatchColumn>
          caption={guide.title}
          rows={batchColumns(circuit)}
          keyOf={({ title }) => title}
          columns={[
            { title: words.batch.column, of: ({ title }) => <code>{title}</code> },
            { title: guide.what, of: about, wide: true },
            { title: guide.needed, of: ({ needed }) => (needed ? words.circuits.yes : words.circuits.no) },
            { title: guide.example, of: (column) => exampleOf(column) },
          ]}
        />
      </details>
    </>
  );
}
