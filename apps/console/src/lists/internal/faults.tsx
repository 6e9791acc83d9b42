import { Notice, Table } from '@constancia/web';
import { useListText } from '../text/language.ts';
import type { Preview } from './use-internal-list.ts';

/** What is wrong with a file, by its lines. The details are in the words of the API. */
export function Faults({ faults }: { faults: Preview['faults'] }) {
  const { words } = useListText();
  return (
    <>
      <Notice tone="error">{words.internal.faults(faults.length)}</Notice>
      <Table
        caption={words.internal.faultsTitle}
        rows={faults}
        columns={[
          { title: words.internal.line, of: ({ line }) => line ?? '–' },
          {
            title: words.internal.fault,
            wide: true,
            of: ({ code, detail }) => (
              <span>
                {words.internal.faultCodes[code as keyof typeof words.internal.faultCodes] ??
                  words.internal.faultCodes.malformed}{' '}
                <small lang="en">{detail}</small>
              </span>
            ),
          },
        ]}
      />
    </>
  );
}
