import { bogotaDay } from '@constancia/kernel';
import type { Decision, Needs, SubjectHistory } from '@constancia/rule-graph';

/** Why a screening was made. */
export const TRIGGERS = ['api', 'list_update', 'identity'] as const;
export type Trigger = (typeof TRIGGERS)[number];

/** An earlier screening of a subject, as the store returns it. */
export interface EarlierScreening {
  decision: Decision;
  trigger: Trigger;
  /** ISO 8601. */
  at: string;
}

/** How many days back the rules look; 0: not at all. */
export function daysAskedFor({ decisionDays, screeningDays }: Needs): number {
  return Math.max(decisionDays, screeningDays);
}

/** What was known of the subject. A screening that a list's change made is no activity of the subject. */
export function historyOf(earlier: readonly EarlierScreening[]): SubjectHistory {
  const days = earlier.map(({ decision, trigger, at }) => ({ decision, trigger, on: bogotaDay(at) }));
  return {
    decisions: days.map(({ decision, on }) => ({ decision, on })),
    screenings: days.filter(({ trigger }) => trigger !== 'list_update').map(({ on }) => ({ on })),
  };
}
