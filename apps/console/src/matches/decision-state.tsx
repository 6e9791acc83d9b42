import type { components } from '@constancia/sdk/generated/compliance';
import { State } from '@constancia/web';
import { useMatchText } from './text/language.ts';

type Decision = components['schemas']['Decision'];

const KINDS = { approve: 'good', review: 'wait', reject: 'bad' } as const;

/** What a screening or a rule decides. */
export function DecisionState({ of }: { of: Decision }) {
  const { words } = useMatchText();
  return <State kind={KINDS[of]}>{words.severity[of]}</State>;
}
