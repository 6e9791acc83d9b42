import { Button, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import { ApiError, type FieldFault } from '../../api/api-error.ts';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useSigningText } from '../text/language.ts';
import { CIRCUITS } from './use-circuit.ts';

interface PublishButtonProps {
  id: string;
  version: number;
  /** It is what is to be done next: everything is saved, and nothing is known to be missing. */
  primary: boolean;
  /** Answers whether everything is saved. */
  save: () => Promise<boolean>;
  waiting: boolean;
  /** Of the field at this place of the draft. */
  keyOfField: (at: number) => string | undefined;
  onPublished: () => void;
}

/** Saves the draft and publishes it, or says everything that it lacks. */
export function PublishButton({ id, version, primary, save, waiting, keyOfField, onPublished }: PublishButtonProps) {
  const { words, locale } = useSigningText();
  const call = useCall();
  const announce = useAnnounce();
  const [asked, setAsked] = useState(false);
  const [missing, setMissing] = useState<readonly FieldFault[]>([]);
  const sentenceOf = ({ pointer, code, detail }: FieldFault): string => {
    if (locale === 'en') return detail;
    const known = words.circuits.missing[code] ?? words.warnings[code] ?? detail;
    const key = pointer.startsWith('/fields/') ? keyOfField(Number(pointer.split('/')[2])) : undefined;
    return key === undefined ? known : `${key}: ${known}`;
  };
  return (
    <>
      <Button look={primary ? 'primary' : 'secondary'} waiting={waiting} onPress={() => setAsked(true)}>
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
          lead={version === 1 ? words.circuits.publishFirstLead : words.circuits.publishLead}
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
              onPublished();
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
