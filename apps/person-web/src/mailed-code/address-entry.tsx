import { Entry } from '@constancia/web';

/** What the server checks in full. */
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

export const isAddress = (typed: string): boolean => ADDRESS.test(typed.trim());

interface AddressEntryProps {
  id: string;
  label: string;
  help?: string;
  fault: string | null;
  address: string;
  onChange: (address: string) => void;
}

/** An e-mail address. */
export function AddressEntry({ id, label, help, fault, address, onChange }: AddressEntryProps) {
  return (
    <Entry id={id} label={label} help={help} fault={fault}>
      {(wiring) => (
        <input
          {...wiring}
          type="text"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={254}
          value={address}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Entry>
  );
}
