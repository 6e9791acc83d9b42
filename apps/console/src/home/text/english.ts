import type { SPANISH } from './spanish.ts';

export const ENGLISH: typeof SPANISH = {
  title: 'Home',
  credits: { title: 'Credits', available: 'Available', held: 'Set aside for work in progress' },
  cases: {
    title: 'Cases',
    unassigned: 'Without an assignee',
    waiting: 'Wait for a second person',
    open: 'To decide',
    next: 'Latest overdue ones',
    all: 'See all cases',
  },
  webhooks: {
    title: 'Webhooks',
    well: 'All endpoints receive their events.',
    none: 'There are no endpoints yet: your systems do not learn what happens.',
    broken: 'Endpoints that do not receive',
    failed: 'Last failed deliveries',
    all: 'See all failed ones',
  },
  nothing: 'Nothing is pending for your role.',
};
