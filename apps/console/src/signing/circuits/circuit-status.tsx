import { State } from '@constancia/web';
import { useSigningText } from '../text/language.ts';
import type { CircuitRow } from './circuit-fields.ts';

const KINDS = { draft: 'wait', published: 'good', deprecated: 'wait' } as const;

export function CircuitStatus({ of: { status } }: { of: Pick<CircuitRow, 'status'> }) {
  const { words } = useSigningText();
  return <State kind={KINDS[status]}>{words.circuits.statuses[status]}</State>;
}
