import { VersionState } from '../../parts/version-state.tsx';
import { useSigningText } from '../text/language.ts';
import type { CircuitRow } from './circuit-fields.ts';

export function CircuitStatus({ of: { status } }: { of: Pick<CircuitRow, 'status'> }) {
  const { words } = useSigningText();
  return <VersionState of={status} words={words.circuits.statuses} />;
}
