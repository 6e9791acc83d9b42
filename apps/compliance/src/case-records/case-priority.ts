import type { ListCode } from '@constancia/reference-data';

/** From the least to the most urgent. */
export const CASE_PRIORITIES = ['low', 'medium', 'high', 'critical'] as const;
export type CasePriority = (typeof CASE_PRIORITIES)[number];

/** Hours from the opening (or escalation, or reopening) of a case to the time when it should be resolved. */
export const SLA_HOURS: Readonly<Record<CasePriority, number>> = { low: 120, medium: 72, high: 24, critical: 4 };

/** What makes a screening urgent: the first row that applies. */
const URGENCY: readonly { priority: CasePriority; applies: (found: Found) => boolean }[] = [
  // Binding for Colombia: funds are frozen and the authorities informed at once.
  { priority: 'critical', applies: ({ lists }) => lists.includes('ONU') },
  { priority: 'high', applies: ({ decision }) => decision === 'reject' },
  { priority: 'high', applies: ({ score }) => score >= 80 },
  { priority: 'medium', applies: ({ score }) => score >= 40 },
  { priority: 'low', applies: () => true },
];

interface Found {
  decision: 'review' | 'reject';
  score: number;
  lists: readonly ListCode[];
}

export function priorityOf(found: Found): CasePriority {
  return (URGENCY.find(({ applies }) => applies(found)) as { priority: CasePriority }).priority;
}

/** The next more urgent one; the most urgent stays. */
export function raised(priority: CasePriority): CasePriority {
  return CASE_PRIORITIES[CASE_PRIORITIES.indexOf(priority) + 1] ?? priority;
}

export function moreUrgent(a: CasePriority, b: CasePriority): CasePriority {
  return CASE_PRIORITIES.indexOf(a) >= CASE_PRIORITIES.indexOf(b) ? a : b;
}

export function dueAt(priority: CasePriority, since: Date): Date {
  return new Date(since.getTime() + SLA_HOURS[priority] * 3_600_000);
}
