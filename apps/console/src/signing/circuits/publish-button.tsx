import { Button, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { ApiError, type FieldFault } from '../../api/api-error.ts';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useSigningText } from '../text/language.ts';
import { CIRCUITS } from './use-circuit.ts';

interface PublishButtonProps {
  id: string;
  /** Answers whether everything is saved. */
  save: () => Promise<boolean>;
  waiting: boolean;
}

/** Saves the draft and publishes it, or says everything that it lacks. */
export function PublishButton({ id, save, waiting }: PublishButtonProps) {
  const { words, locale } = useSigningText();
  const call = useCall();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const [missing, setMissing] = useState<readonly FieldFault[]>([]);
  const sentenceOf = ({ code, detail }: FieldFault): string => {
    const known = words.circuits.missing[code] ?? words.warnings[code] ?? detail;
    return locale === 'en' ? detail : known;
  };
  return (
    <>
      <Button waiting={waiting} onPress={() => setAsked(true)}>
        {words.circuits.publish}
      </Button>
      {missing.length > 0 && (
        <Notice tone="error">
          <p>{words.circuits.notPublishable}</p>
          <ul>
            {missing.map((fault) => (
              <li key={`${fault.pointer} ${fault.code}`}>{sentenceOf(fault)}</li>
            ))}
          </ul>
        </Notice>
      )}
      {asked && (
        <FormDialog
          title={words.circuits.publishTitle}
          lead={words.circuits.publishLead}
          submit={words.circuits.publish}
          onClose={() => setAsked(false)}
          onSubmit={async () => {
            setMissing([]);
            if (!(await save())) return undefined;
            try {
              await call(
                ({ signing }) => signing.POST('/v1/circuits/{id}/publish', { params: { path: { id } } }),
                CIRCUITS,
              );
              announce(words.circuits.publishedNow);
            } catch (error) {
              if (!(error instanceof ApiError) || error.faults.length === 0) throw error;
              setMissing(error.faults);
            }
            return undefined;
          }}
        />
      )}
    </>
  );
}
