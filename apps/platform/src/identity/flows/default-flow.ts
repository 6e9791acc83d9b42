import { checkedSteps } from './step-config.ts';
import type { FlowStep } from './step-types.ts';
import { STEP_TYPES } from './step-types.ts';

export const DEFAULT_CODE = 'default';
export const DEFAULT_TYPE = 'onboarding';

/** The default onboarding flow: every step, each required, all with their defaults. */
export function defaultSteps(): FlowStep[] {
  const result = checkedSteps(STEP_TYPES.map((step_type) => ({ step_type })));
  if ('errors' in result) throw new Error('the default flow breaks its own rules');
  return result.steps;
}
