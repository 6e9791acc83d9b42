import type { WalletErasure } from '@constancia/contracts/wallet';
import { Frame } from '@constancia/web';
import { useCallback, useEffect, useState } from 'react';
import type { SignedIn } from '../api/wallet-api.ts';
import { Erased } from './erased.tsx';
import { CancelRecovery, cancelTokenInAddress } from './recovery/cancel-recovery.tsx';
import { Recover } from './recovery/recover.tsx';
import { MyWallet } from './my-wallet.tsx';
import { SignIn, type SignInNews } from './sign-in.tsx';
import { useText } from './text/language.ts';

type Shown =
  | { kind: 'out'; news: SignInNews | null }
  | { kind: 'recover' }
  | { kind: 'cancel'; token: string }
  | { kind: 'in'; session: SignedIn }
  | { kind: 'erased'; receipt: WalletErasure };

/** Who is signed in is known to this component alone: nothing of it is stored, and a page that is loaded again begins with signing in. */
export function WalletPage() {
  const { text } = useText();
  const [shown, setShown] = useState<Shown>(atFirst);
  const session = shown.kind === 'in' ? shown.session : null;
  useEffect(() => {
    document.title = text.page.name;
  }, [text]);

  const end = useCallback((news: SignInNews) => setShown({ kind: 'out', news }), []);
  useEffect(() => {
    if (session === null) return undefined;
    // A browser may keep the page as it is, to show it again on the way back: it must not show what it holds then.
    const leave = (): void => {
      void session.end().catch(() => undefined);
      end('left');
    };
    window.addEventListener('pagehide', leave);
    return () => window.removeEventListener('pagehide', leave);
  }, [session, end]);

  return (
    <Frame>
      {shown.kind === 'out' && (
        <SignIn
          news={shown.news}
          onSession={(opened) => setShown({ kind: 'in', session: opened })}
          onLostAccess={() => setShown({ kind: 'recover' })}
        />
      )}
      {shown.kind === 'recover' && <Recover onBack={() => setShown({ kind: 'out', news: null })} />}
      {shown.kind === 'cancel' && (
        <CancelRecovery token={shown.token} onBack={() => setShown({ kind: 'out', news: null })} />
      )}
      {shown.kind === 'in' && (
        <MyWallet session={shown.session} onEnd={end} onErased={(receipt) => setShown({ kind: 'erased', receipt })} />
      )}
      {shown.kind === 'erased' && <Erased receipt={shown.receipt} />}
    </Frame>
  );
}

/** A link of a notice leads to the end of a recovery. */
function atFirst(): Shown {
  const token = cancelTokenInAddress();
  return token === null ? { kind: 'out', news: null } : { kind: 'cancel', token };
}
