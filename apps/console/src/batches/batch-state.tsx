import type { components } from '@constancia/sdk/generated/signing';
import { State } from '@constancia/web';
import type { BatchWords } from './batch-words.ts';

export type BatchStatus = components['schemas']['EnvelopeBatchStatus'];

interface Standing {
  status: BatchStatus;
  reason: string | null;
}

const KINDS = { processing: 'wait', paused: 'wait', completed: 'good', canceled: 'bad', failed: 'bad' } as const;

/** Whether it goes on by itself. */
export const isOpen = ({ status }: Pick<Standing, 'status'>): boolean => status === 'processing' || status === 'paused';

/** The status of a batch, and why it does not go on. */
export function BatchState({ of: { status, reason }, words }: { of: Standing; words: BatchWords }) {
  return (
    <span>
      <State kind={KINDS[status]}>{words.statuses[status]}</State> {reason !== null && words.reasons[reason]}
    </span>
  );
}
