import type { WalletRecoveryFacts } from '@constancia/contracts/wallet-recovery';
import { Button, Screen } from '@constancia/web';
import { useState } from 'react';
import { Refused } from '../../api/capture-api.ts';
import { CannotRecover, type MadePasskey, type ProvenRecovery } from '../../api/recovery-api.ts';
import { useText } from '../text/language.ts';
import { FaceStep } from './face-step.tsx';
import { PasskeyStep } from './passkey-step.tsx';
import { ProveAddress } from './prove-address.tsx';

type Shown =
  | { kind: 'address' }
  | { kind: 'passkey'; recovery: ProvenRecovery; again: boolean }
  /** passkey: null once the server has it. */
  | { kind: 'face'; recovery: ProvenRecovery; passkey: MadePasskey | null; last: WalletRecoveryFacts | null }
  | { kind: 'cooling'; effectiveAt: string }
  | { kind: 'waiting' }
  | { kind: 'over'; reason: string };

/** A person who lost the passkeys of their wallet: the address, a new passkey, the face, and 24 hours. Nothing of it is stored by the page. */
export function Recover({ onBack }: { onBack: () => void }) {
  const { text, clock } = useText();
  const [shown, setShown] = useState<Shown>({ kind: 'address' });
  const again = (): void => setShown({ kind: 'address' });

  /** Whether a failure ends the recovery, or its passkey. */
  const fails = (failure: unknown, recovery?: ProvenRecovery): boolean => {
    if (failure instanceof CannotRecover)
      setShown(failure.reason === 'busy' ? { kind: 'waiting' } : { kind: 'over', reason: failure.reason });
    else if (!(failure instanceof Refused)) return false;
    else if ([401, 404, 409].includes(failure.status)) setShown({ kind: 'over', reason: 'time' });
    else if (failure.status === 422 && recovery) setShown({ kind: 'passkey', recovery, again: true });
    else return false;
    return true;
  };
  const settled = (recovery: ProvenRecovery, last: WalletRecoveryFacts): void => {
    const { state, reason, effective_at: effectiveAt } = last;
    if (state === 'cooling' && effectiveAt !== null) return setShown({ kind: 'cooling', effectiveAt });
    if (state === 'contact_verified' && reason !== null)
      return setShown({ kind: 'face', recovery, passkey: null, last });
    if (state === 'contact_verified' || state === 'biometric_verified') return setShown({ kind: 'waiting' });
    setShown({ kind: 'over', reason: reason ?? 'other' });
  };

  switch (shown.kind) {
    case 'address':
      return (
        <ProveAddress
          onProven={(recovery) => setShown({ kind: 'passkey', recovery, again: false })}
          isEnd={(failure) => fails(failure)}
          onBack={onBack}
        />
      );
    case 'passkey': {
      const { recovery } = shown;
      return (
        <PasskeyStep
          recovery={recovery}
          again={shown.again}
          onMade={(passkey) => setShown({ kind: 'face', recovery, passkey, last: null })}
          isEnd={(failure) => fails(failure)}
          onBack={onBack}
        />
      );
    }
    case 'face': {
      const { recovery } = shown;
      return (
        <FaceStep
          key={shown.last?.checks_left ?? 'first'}
          recovery={recovery}
          passkey={shown.passkey}
          last={shown.last}
          onSettled={(facts) => settled(recovery, facts)}
          isEnd={(failure) => fails(failure, recovery)}
        />
      );
    }
    case 'cooling':
      return <End title={text.recovery.coolingTitle} lead={text.recovery.cooling(clock(shown.effectiveAt))} onBack={onBack} />; // prettier-ignore
    case 'waiting':
      return <End title={text.recovery.waitingTitle} lead={text.recovery.waiting} onBack={onBack} />;
    case 'over': {
      const sentence = text.recovery.over[shown.reason] ?? text.recovery.over.other ?? '';
      return <End title={text.recovery.overTitle} lead={sentence} onBack={onBack} onAgain={again} />;
    }
  }
}

interface EndProps {
  title: string;
  lead: string;
  onBack: () => void;
  onAgain?: () => void;
}

function End({ title, lead, onBack, onAgain }: EndProps) {
  const { text } = useText();
  return (
    <Screen title={title} lead={lead}>
      <div className="actions">
        {onAgain && (
          <Button look="primary" onPress={onAgain}>
            {text.recovery.again}
          </Button>
        )}
        <Button onPress={onBack}>{text.signIn.title}</Button>
      </div>
    </Screen>
  );
}
