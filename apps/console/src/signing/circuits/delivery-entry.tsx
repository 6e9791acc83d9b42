import { Entry, Tick } from '@constancia/web';
import { useId } from 'react';
import { useSigningText } from '../text/language.ts';
import type { CircuitRow } from './circuit-fields.ts';

/** Who may see the document, and whether it is mailed. */
export type Delivery = Pick<CircuitRow, 'document_access' | 'attach_document'>;
type Access = Delivery['document_access'];

interface DeliveryEntryProps {
  value: Delivery;
  onValue: (delivery: Delivery) => void;
}

export function DeliveryEntry({ value: { document_access, attach_document }, onValue }: DeliveryEntryProps) {
  const { words } = useSigningText();
  const id = useId();
  const choose = (access: Access): void =>
    onValue({ document_access: access, attach_document: attach_document && access === 'link' });
  return (
    <>
      <Entry id={id} label={words.circuits.access}>
        {(wiring) => (
          <select {...wiring} value={document_access} onChange={(event) => choose(event.target.value as Access)}>
            {(['link', 'authenticated'] as const).map((access) => (
              <option key={access} value={access}>
                {words.circuits.accesses[access]}
              </option>
            ))}
          </select>
        )}
      </Entry>
      {document_access === 'link' && (
        <Tick
          id={`${id}-attach`}
          label={words.circuits.attach}
          required={false}
          ticked={attach_document}
          onTick={(attach) => onValue({ document_access, attach_document: attach })}
        />
      )}
    </>
  );
}
