import { Button, Notice, Screen } from '@constancia/web';
import { useState } from 'react';
import { Refused } from '../../api/capture-api.ts';
import { cancelRecovery } from '../../api/recovery-api.ts';
import { useRequest } from '../../session/use-request.ts';
import { useText } from '../text/language.ts';

const IN_ADDRESS = /^#cancel=([A-Za-z0-9_-]{43})$/;

/** Of the link of a notice; it is behind the `#`, so that no server gets it with the page. */
export const cancelTokenInAddress = (): string | null => IN_ADDRESS.exec(location.hash)?.[1] ?? null;

/** Cancels a recovery with the link of its notice: when it is pressed, not when a program that reads mail opens it. */
export function CancelRecovery({ token, onBack }: { token: string; onBack: () => void }) {
  const { text, sentenceOf } = useText();
  const { busy, error, run } = useRequest();
  const [done, setDone] = useState<'stopped' | 'nothing' | null>(null);

  const stop = (): Promise<void> =>
    run('stop', async () => {
      try {
        await cancelRecovery(token);
        setDone('stopped');
      } catch (failure) {
        if (!(failure instanceof Refused) || failure.status !== 404) throw failure;
        setDone('nothing');
      }
    });
  const leave = (): void => {
    history.replaceState(history.state, '', `${location.pathname}${location.search}`);
    onBack();
  };
  return (
    <Screen title={text.recovery.stopTitle} lead={text.recovery.stopLead}>
      {error !== null && <Notice tone="error">{sentenceOf(error)}</Notice>}
      {done !== null && <Notice tone={done === 'stopped' ? 'news' : 'warning'}>{text.recovery[done]}</Notice>}
      <div className="actions">
        {done === null && (
          <Button look="primary" busy={busy === 'stop'} onPress={() => void stop()}>
            {text.recovery.stop}
          </Button>
        )}
        <Button look={done === null ? 'quiet' : 'primary'} onPress={leave}>
          {text.signIn.title}
        </Button>
      </div>
    </Screen>
  );
}
