import type { components } from '@constancia/sdk/generated/platform';
import { State } from '@constancia/web';
import { useMoneyText } from './text/language.ts';

export type TopupRow = components['schemas']['TopupView'];

const KINDS = {
  pending: 'wait',
  credited: 'good',
  rejected: 'bad',
  expired: 'bad',
  amount_mismatch: 'bad',
  part_reversed: 'wait',
  reversed: 'bad',
} as const;

export function TopupStatus({ of: { status } }: { of: Pick<TopupRow, 'status'> }) {
  const { words } = useMoneyText();
  return <State kind={KINDS[status]}>{words.topups.statuses[status]}</State>;
}
