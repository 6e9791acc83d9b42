import { Button, Entry, useFocus } from '@constancia/web';
import { useId } from 'react';
import { NumberEntry } from '../editor/number-entry.tsx';
import { newId } from '../editor/use-fields.ts';
import { useSigningText } from '../text/language.ts';
import { AUTH_METHODS, type AuthMethod, type DraftSigner, isRole, roleIn } from './circuit-fields.ts';

interface SignersCardProps {
  signers: readonly DraftSigner[];
  /** `renamed`: what a role was called before, and is called now. */
  onSigners: (signers: DraftSigner[], renamed?: readonly [before: string, now: string]) => void;
}

/** Who signs, in which order, and how each proves who they are. */
export function SignersCard({ signers, onSigners }: SignersCardProps) {
  const { words } = useSigningText();
  const focus = useFocus();
  const add = (): void => {
    const taken = new Set(signers.map(({ role }) => role));
    let number = signers.length + 1;
    while (taken.has(`${words.circuits.roleStem}${number}`)) number++;
    const order = Math.max(0, ...signers.map((signer) => signer.order || 0)) + 1;
    const role = `${words.circuits.roleStem}${number}`;
    onSigners([...signers, { id: newId(), role, typed: role, auth: ['otp_email'], order }]);
  };
  const change = (at: number, changed: Partial<DraftSigner>): void => {
    const before = signers[at]?.role ?? '';
    const next = signers.map((signer, index) => (index === at ? { ...signer, ...changed } : signer));
    onSigners(next, changed.role === undefined ? undefined : [before, changed.role]);
  };
  const remove = (at: number): void => {
    onSigners(signers.filter((_, index) => index !== at));
    focus('circuit-add-signer');
  };
  return (
    <section className="card" aria-labelledby="circuit-signers">
      <h2 id="circuit-signers">{words.circuits.signers}</h2>
      <p className="help">{words.circuits.signersHint}</p>
      {signers.map((signer, at) => (
        <SignerRow
          key={signer.id}
          of={signer}
          taken={signers.filter((_, index) => index !== at).map(({ role }) => role)}
          onChange={(changed) => change(at, changed)}
          onRemove={() => remove(at)}
        />
      ))}
      <Button id="circuit-add-signer" onPress={add}>
        {words.circuits.addSigner}
      </Button>
    </section>
  );
}

interface SignerRowProps {
  of: DraftSigner;
  /** Roles of the others. */
  taken: readonly string[];
  onChange: (changed: Partial<DraftSigner>) => void;
  onRemove: () => void;
}

function SignerRow({ of: { role, typed, auth, order }, taken, onChange, onRemove }: SignerRowProps) {
  const { words } = useSigningText();
  const id = useId();
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
        fault={wrong ? (taken.includes(typed) ? words.circuits.takenRole : words.circuits.badRole) : null}
      >
        {(wiring) => (
          <input
            {...wiring}
            type="text"
            autoComplete="off"
            spellCheck={false}
            maxLength={32}
            value={typed}
            onChange={(event) => onChange({ typed: roleIn(event.target.value) })}
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
        <p className="help">{words.circuits.authHint}</p>
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
