import { Button, Notice } from '@constancia/web';
import { useState } from 'react';
import { Refused } from '../../api/capture-api.ts';
import type { SignedIn } from '../../api/wallet-api.ts';
import { useRequest } from '../../session/use-request.ts';
import { useText } from '../text/language.ts';

interface PendingRecoveryProps {
  session: SignedIn;
  /** Null: none is under way. */
  effectiveAt: string | null;
  onEnded: () => void;
}

/** Says that the wallet is being recovered, and cancels that. */
export function PendingRecovery({ session, effectiveAt, onEnded }: PendingRecoveryProps) {
  const { text, clock, sentenceOf } = useText();
  const { busy, error, run } = useRequest(onEnded);
  const [done, setDone] = useState<'stopped' | 'nothing' | null>(null);
  if (effectiveAt === null) return null;

  const stop = (): Promise<void> =>
    run('stop', async () => {
      try {
        await session.cancelRecovery();
        setDone('stopped');
      } catch (failure) {
        if (!(failure instanceof Refused) || failure.status !== 404) throw failure;
        setDone('nothing');
      }
    });
  if (done !== null) return <Notice tone={done === 'stopped' ? 'news' : 'warning'}>{text.recovery[done]}</Notice>;
  return (
    <>
      <Notice tone="warning">{text.recovery.pending(clock(effectiveAt))}</Notice>
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      <div className="actions">
        <Button look="primary" busy={busy === 'stop'} onPress={() => void stop()}>
          {text.recovery.stop}
        </Button>
      </div>
    </>
  );
}
