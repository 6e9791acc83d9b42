import type { components } from '@constancia/sdk/generated/compliance';
import { State } from '@constancia/web';
import { useScreeningText } from '../text/language.ts';

export type BatchRow = components['schemas']['ScreeningBatchView'];

const KINDS = { processing: 'wait', paused: 'wait', completed: 'good', canceled: 'bad', failed: 'bad' } as const;

/** Whether it goes on by itself. */
export const isOpen = ({ status }: Pick<BatchRow, 'status'>): boolean => status === 'processing' || status === 'paused';

/** The status of a batch, and why it does not go on. */
export function BatchState({ of: { status, reason } }: { of: Pick<BatchRow, 'status' | 'reason'> }) {
  const { words } = useScreeningText();
  return (
    <span>
      <State kind={KINDS[status]}>{words.batch.statuses[status]}</State>{' '}
      {reason !== null && words.batch.reasons[reason]}
    </span>
  );
}
