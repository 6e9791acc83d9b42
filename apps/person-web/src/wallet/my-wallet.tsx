import type { WalletErasure, WalletExport } from '@constancia/contracts/wallet';
import { Button, Facts, Notice, Screen } from '@constancia/web';
import { useEffect, useState } from 'react';
import type { SignedIn } from '../api/wallet-api.ts';
import { Devices } from './devices.tsx';
import { Discoverable } from './discoverable.tsx';
import { Erase } from './erase.tsx';
import { Passkeys } from './passkeys.tsx';
import { PendingRecovery } from './recovery/pending-recovery.tsx';
import { Receipts } from './receipts.tsx';
import { saveJson } from './save-json.ts';
import { SessionEnd } from './session-end.tsx';
import type { SignInNews } from './sign-in.tsx';
import { useText } from './text/language.ts';
import { useRequest } from '../session/use-request.ts';
import { Verifications } from './verifications.tsx';

interface MyWalletProps {
  session: SignedIn;
  onEnd: (news: SignInNews) => void;
  onErased: (receipt: WalletErasure) => void;
}

/** Everything that the wallet holds, and what its person can do with it. */
export function MyWallet({ session, onEnd, onErased }: MyWalletProps) {
  const { text, clock, sentenceOf } = useText();
  const [wallet, setWallet] = useState<WalletExport | null>(null);
  const { busy, error, run } = useRequest(() => onEnd('ended'));

  const load = (): Promise<void> => run('load', async () => setWallet(await session.export()));
  useEffect(() => {
    void load();
  }, [session]);

  const download = (): Promise<void> =>
    run('download', async () => {
      const everything = await session.export();
      saveJson(everything, text.mine.fileName(everything.exported_at.slice(0, 10)));
    });
  const signOut = (): void => {
    // Without an answer, too, the page forgets the token, which is good for ten minutes at most.
    void session.end().catch(() => undefined);
    onEnd('signedOut');
  };

  return (
    <Screen title={text.mine.title} lead={text.mine.lead}>
      <SessionEnd endsAt={session.endsAt} onEnd={() => onEnd('ended')} />
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      {wallet === null ? (
        error === null ? (
          <p className="loading" role="status">
            {text.loading}
          </p>
        ) : (
          <div className="actions">
            <Button look="primary" busy={busy === 'load'} onPress={() => void load()}>
              {text.again}
            </Button>
          </div>
        )
      ) : (
        <>
          <PendingRecovery
            session={session}
            effectiveAt={wallet.recovery_effective_at}
            onEnded={() => onEnd('ended')}
          />
          <Facts
            pairs={[
              [text.mine.address, wallet.contacts.join(', ')],
              [text.mine.level, text.levels[wallet.level]],
              [text.mine.verifiedAt, clock(wallet.verified_at)],
              [text.mine.createdAt, clock(wallet.created_at)],
              [
                text.recovery.face,
                wallet.face_kept_at === null
                  ? text.recovery.noFace
                  : text.recovery.faceKept(clock(wallet.face_kept_at)),
              ],
            ]}
          />
          <Verifications verifications={wallet.verifications} />
          <Receipts session={session} atFirst={wallet.consents} onEnded={() => onEnd('ended')} />
          <Devices
            session={session}
            address={wallet.contacts.join(', ')}
            atFirst={wallet.credentials}
            onEnded={() => onEnd('ended')}
          />
          <Discoverable
            session={session}
            enabled={wallet.discoverable}
            onChange={(discoverable) => setWallet({ ...wallet, discoverable })}
            onEnded={() => onEnd('ended')}
          />
          <Passkeys session={session} atFirst={wallet.passkeys} onEnded={() => onEnd('ended')} />
        </>
      )}
      <section className="part" aria-labelledby="yours">
        <h2 id="yours">{text.mine.yours}</h2>
        <p>{text.mine.downloadLead}</p>
        <div className="actions">
          <Button look="primary" busy={busy === 'download'} onPress={() => void download()}>
            {text.mine.download}
          </Button>
          <Button onPress={signOut}>{text.mine.signOut}</Button>
        </div>
      </section>
      <Erase session={session} onEnd={onEnd} onErased={onErased} />
    </Screen>
  );
}
