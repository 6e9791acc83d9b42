import { Button, Entry } from '@constancia/web';
import { useId, useState } from 'react';
import { NumberEntry } from '../editor/number-entry.tsx';
import { useSigningText } from '../text/language.ts';
import { AUTH_METHODS, type AuthMethod, type CircuitSigner, isRole } from './circuit-fields.ts';

interface SignersCardProps {
  signers: readonly CircuitSigner[];
  /** `renamed`: what a role was called before, and is called now. */
  onSigners: (signers: CircuitSigner[], renamed?: readonly [before: string, now: string]) => void;
}

/** Who signs, in which order, and how each proves who they are. */
export function SignersCard({ signers, onSigners }: SignersCardProps) {
  const { words } = useSigningText();
  const add = (): void => {
    const taken = new Set(signers.map(({ role }) => role));
    let number = signers.length + 1;
    while (taken.has(`${words.circuits.roleStem}${number}`)) number++;
    const order = Math.max(0, ...signers.map((signer) => signer.order || 0)) + 1;
    onSigners([...signers, { role: `${words.circuits.roleStem}${number}`, auth: ['otp_email'], order }]);
  };
  const change = (at: number, changed: Partial<CircuitSigner>): void => {
    const before = signers[at]?.role ?? '';
    const next = signers.map((signer, index) => (index === at ? { ...signer, ...changed } : signer));
    onSigners(next, changed.role === undefined ? undefined : [before, changed.role]);
  };
  return (
    <section className="card" aria-labelledby="circuit-signers">
      <h2 id="circuit-signers">{words.circuits.signers}</h2>
      <p className="help">{words.circuits.signersHint}</p>
      {signers.map((signer, at) => (
        <SignerRow
          key={signer.role}
          of={signer}
          taken={signers.filter((_, index) => index !== at).map(({ role }) => role)}
          onChange={(changed) => change(at, changed)}
          onRemove={() => onSigners(signers.filter((_, index) => index !== at))}
        />
      ))}
      <Button onPress={add}>{words.circuits.addSigner}</Button>
    </section>
  );
}

interface SignerRowProps {
  of: CircuitSigner;
  /** Roles of the others. */
  taken: readonly string[];
  onChange: (changed: Partial<CircuitSigner>) => void;
  onRemove: () => void;
}

function SignerRow({ of: { role, auth, order }, taken, onChange, onRemove }: SignerRowProps) {
  const { words } = useSigningText();
  const id = useId();
  const [typed, setTyped] = useState(role);
  const wrong = !isRole(typed) || taken.includes(typed);
  const toggle = (method: AuthMethod, on: boolean): void =>
    onChange({ auth: on ? [...auth, method] : auth.filter((one) => one !== method) });
  return (
    <fieldset className="signer-row">
      <legend className="unseen">
        {words.circuits.signer} {role}
      </legend>
      <Entry
        id={id}
        label={words.circuits.role}
        help={words.circuits.roleHint}
        fault={wrong ? words.circuits.badRole : null}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            autoComplete="off"
            spellCheck={false}
            maxLength={32}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => !wrong && typed !== role && onChange({ role: typed })}
          />
        )}
      </Entry>
      <NumberEntry
        label={words.circuits.order}
        value={order}
        integer
        fault={undefined}
        onNumber={(next) => onChange({ order: next })}
      />
      <div role="group" aria-labelledby={`${id}-auth`}>
        <strong id={`${id}-auth`}>{words.circuits.auth}</strong>
        {AUTH_METHODS.map((method) => (
          <div className="tick" key={method}>
            <input
              type="checkbox"
              id={`${id}-${method}`}
              checked={auth.includes(method)}
              onChange={(event) => toggle(method, event.target.checked)}
            />
            <label htmlFor={`${id}-${method}`}>{words.circuits.auths[method]}</label>
          </div>
        ))}
      </div>
      <Button look="quiet" label={words.circuits.removeSigner(role)} onPress={onRemove}>
        {words.circuits.remove}
      </Button>
    </fieldset>
  );
}
