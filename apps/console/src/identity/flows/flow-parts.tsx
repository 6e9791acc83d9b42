import { State } from '@constancia/web';
import type { FlowView } from './step-form.ts';
import { useFlowText } from './text/language.ts';

export const FLOWS = ['flows'];

const KINDS = { draft: 'wait', published: 'good', deprecated: 'wait' } as const;

export function FlowStatus({ of: { status } }: { of: FlowView }) {
  const { words } = useFlowText();
  return <State kind={KINDS[status]}>{words.statuses[status]}</State>;
}
