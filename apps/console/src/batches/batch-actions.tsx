import { Button, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { Failure } from '../parts/failure.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { saveFile } from '../parts/save-file.ts';
import { useAction } from '../parts/use-action.ts';
import type { BatchRow } from './batch-facts.tsx';
import { isOpen } from './batch-state.tsx';
import type { BatchWords } from './batch-words.ts';

interface BatchActionsProps {
  of: BatchRow;
  words: BatchWords;
  mayCancel: boolean;
  results: () => Promise<Blob>;
  cancel: () => Promise<unknown>;
}

/** The results of a batch so far, and the way to end it. */
export function BatchActions({ of: batch, words, mayCancel, results, cancel }: BatchActionsProps) {
  const announce = useAnnounce();
  const { busy, error, run } = useAction();
  const [asked, setAsked] = useState(false);
  const download = (): Promise<void> =>
    run('results', async () => {
      saveFile(`${batch.id}.csv`, await results());
    });
  const end = async (): Promise<void> => {
    await cancel();
    announce(words.canceledNow);
  };
  return (
    <>
      {batch.processed > 0 && (
        <Button busy={busy !== null} onPress={() => void download()}>
          {words.save}
        </Button>
      )}
      {isOpen(batch) && mayCancel && <Button onPress={() => setAsked(true)}>{words.cancel}</Button>}
      {error !== null && <Failure error={error} />}
      {asked && (
        <FormDialog
          title={words.cancel}
          lead={words.cancelLead}
          submit={words.cancel}
          dangerous
          onClose={() => setAsked(false)}
          onSubmit={end}
        />
      )}
    </>
  );
}
