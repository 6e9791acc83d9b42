import { VersionState } from '../../parts/version-state.tsx';
import type { FlowView } from './step-form.ts';
import { useFlowText } from './text/language.ts';

export const FLOWS = ['flows'];

export function FlowStatus({ of: { status } }: { of: FlowView }) {
  const { words } = useFlowText();
  return <VersionState of={status} words={words.statuses} />;
}
