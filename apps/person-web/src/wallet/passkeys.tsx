import type { WalletPasskeyFacts } from '@constancia/contracts/wallet';
import { Button, Entry, Facts, Notice, useAnnounce, useFocus } from '@constancia/web';
import { type SyntheticEvent, useState } from 'react';
import type { SignedIn } from '../api/wallet-api.ts';
import { useText } from './text/language.ts';
import { useRequest } from '../session/use-request.ts';

const MOST = 10;

interface PasskeysProps {
  session: SignedIn;
  /** Those that the wallet had when it was shown. */
  atFirst: readonly WalletPasskeyFacts[];
  onEnded: () => void;
}

/** The passkeys of the wallet, and one more. */
export function Passkeys({ session, atFirst, onEnded }: PasskeysProps) {
  const { text, clock, sentenceOf } = useText();
  const focus = useFocus();
  const announce = useAnnounce();
  const { busy, error, run } = useRequest(onEnded);
  const [passkeys, setPasskeys] = useState(atFirst);
  const [name, setName] = useState('');
  const [fault, setFault] = useState<string | null>(null);

  const add = (event: SyntheticEvent): void => {
    event.preventDefault();
    setFault(name.trim() === '' ? text.passkeys.noName : null);
    if (name.trim() === '') return focus('passkey-name');
    void run('add', async () => {
      await session.addPasskey(name.trim());
      setName('');
      announce(text.passkeys.added);
      setPasskeys(await session.passkeys());
    });
  };
  const remove = (id: string): Promise<void> =>
    run(id, async () => {
      await session.removePasskey(id);
      announce(text.passkeys.removed);
      setPasskeys(await session.passkeys());
    });

  return (
    <section className="part" aria-labelledby="passkeys">
      <h2 id="passkeys">{text.passkeys.title}</h2>
      <p>{text.passkeys.about}</p>
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      {passkeys.map((passkey) => (
        <article key={passkey.id}>
          <h3>{passkey.name}</h3>
          <Facts
            pairs={[
              [text.passkeys.since, clock(passkey.created_at)],
              [text.passkeys.used, passkey.last_used_at === null ? text.passkeys.never : clock(passkey.last_used_at)],
            ]}
          />
          <div className="actions small">
            <Button
              busy={busy === passkey.id}
              label={text.passkeys.removeOf(passkey.name)}
              onPress={() => void remove(passkey.id)}
            >
              {text.passkeys.remove}
            </Button>
          </div>
        </article>
      ))}
      {passkeys.length < MOST && (
        <form onSubmit={add} noValidate>
          <Entry id="passkey-name" label={text.passkeys.name} help={text.passkeys.nameHelp} fault={fault}>
            {(wiring) => (
              <input
                {...wiring}
                type="text"
                autoComplete="off"
                maxLength={60}
                value={name}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Entry>
          <div className="actions">
            <Button submit busy={busy === 'add'}>
              {text.passkeys.add}
            </Button>
          </div>
        </form>
      )}
    </section>
  );
}
