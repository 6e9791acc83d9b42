import type { CredentialState, WalletCredentialFacts } from '@constancia/contracts/wallet';
import { Button, Facts, Notice, useAnnounce } from '@constancia/web';
import { useState } from 'react';
import type { SignedIn } from '../api/wallet-api.ts';
import { DeviceOffer } from './device-offer.tsx';
import { useRequest } from '../session/use-request.ts';
import { useText } from './text/language.ts';

interface DevicesProps {
  session: SignedIn;
  /** Of the wallet, masked. */
  address: string;
  /** Those that the wallet had when it was shown. */
  atFirst: readonly WalletCredentialFacts[];
  onEnded: () => void;
}

/** Nobody accepts a credential in one of these states any more. */
const OVER: readonly CredentialState[] = ['revoked', 'expired'];

/** The credentials on the person's devices, each of which can be revoked, and the way to get one, also after all of them ended. */
export function Devices({ session, address, atFirst, onEnded }: DevicesProps) {
  const { text, clock, sentenceOf } = useText();
  const announce = useAnnounce();
  const { busy, error, run } = useRequest(onEnded);
  const [credentials, setCredentials] = useState(atFirst);
  const allOver = credentials.length > 0 && credentials.every(({ status }) => OVER.includes(status));

  const revoke = (id: string): Promise<void> =>
    run(id, async () => {
      await session.revokeCredential(id);
      setCredentials((known) => known.map((each) => (each.id === id ? { ...each, status: 'revoked' } : each)));
      announce(text.devices.revoked);
    });

  return (
    <section className="part" aria-labelledby="devices">
      <h2 id="devices">{text.devices.title}</h2>
      <p>{text.devices.about}</p>
      {allOver && <Notice tone="news">{text.devices.allOver}</Notice>}
      <DeviceOffer
        session={session}
        address={address}
        known={new Set(credentials.map(({ id }) => id))}
        onIssued={(issued) => setCredentials((known) => [...issued, ...known])}
        onEnded={onEnded}
      />
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      {credentials.map((credential) => (
        <article key={credential.id}>
          <h3>{text.devices.issued(clock(credential.issued_at))}</h3>
          <Facts
            pairs={[
              [text.devices.state, text.devices.states[credential.status]],
              [text.devices.expires, clock(credential.expires_at)],
            ]}
          />
          {!OVER.includes(credential.status) && (
            <div className="actions small">
              <Button
                busy={busy === credential.id}
                label={text.devices.revokeOf(clock(credential.issued_at))}
                onPress={() => void revoke(credential.id)}
              >
                {text.devices.revoke}
              </Button>
            </div>
          )}
        </article>
      ))}
    </section>
  );
}
