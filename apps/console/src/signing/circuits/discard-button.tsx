import { Button, useAnnounce } from '@constancia/web';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Tagged } from '../../api/apis.ts';
import { useCall } from '../../member/queries.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useSigningText } from '../text/language.ts';
import type { CircuitRow } from './circuit-fields.ts';

interface DiscardButtonProps {
  /** As it is saved: what somebody else changed meanwhile is not discarded. */
  circuit: Tagged<CircuitRow>;
  onDiscarded: () => void;
}

/** Deletes the draft once that is confirmed. */
export function DiscardButton({ circuit: { id, etag }, onDiscarded }: DiscardButtonProps) {
  const { words } = useSigningText();
  const call = useCall();
  const announce = useAnnounce();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button onPress={() => setAsked(true)}>{words.circuits.discard}</Button>
      {asked && (
        <FormDialog
          title={words.circuits.discard}
          lead={words.circuits.discardLead}
          submit={words.circuits.discard}
          dangerous
          problems={{ 'state-conflict': words.circuits.notDiscarded }}
          onClose={() => setAsked(false)}
          onSubmit={async () => {
            const params = { path: { id }, header: { 'If-Match': etag } };
            await call(({ signing }) => signing.DELETE('/v1/circuits/{id}', { params }));
            onDiscarded();
            announce(words.circuits.discarded);
            await navigate({ to: '/signing/circuits' });
          }}
        />
      )}
    </>
  );
}
