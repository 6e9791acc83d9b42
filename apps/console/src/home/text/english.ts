import type { SPANISH } from './spanish.ts';

export const ENGLISH: typeof SPANISH = {
  title: 'Home',
  credits: { title: 'Credits', available: 'Available', held: 'Set aside for work in progress' },
  cases: {
    title: 'Cases',
    statuses: {
      open: 'Open',
      in_review: 'In review',
      escalated: 'Escalated',
      pending_approval: 'Wait for a second person',
    },
    next: 'Latest overdue ones',
    all: 'See all cases',
  },
  rules: {
    title: 'Rules',
    none: 'No draft is waiting for a second person.',
    waiting: 'Drafts that wait for a second person',
    draft: (code, version) => `${code}, version ${version}`,
    by: (name) => `${name} published it first`,
    byYou: 'you published it first',
    all: 'See all rules',
  },
  reviews: {
    title: 'Identity reviews',
    none: 'No verification waits for a decision.',
    waiting: 'Verifications that wait for a decision',
    second: 'waits for a second person',
    all: 'See all reviews',
  },
  envelopes: {
    title: 'Envelopes',
    none: 'No envelope is waiting for signatures.',
    oldest: 'Waiting for signatures the longest',
    untitled: 'Without a subject',
    progress: (signed, all, expiry) => `${signed} of ${all} signed · expires ${expiry}`,
    all: 'See all that are waiting',
  },
  webhooks: {
    title: 'Webhooks',
    well: 'No endpoint fails.',
    none: 'There are no endpoints yet: your systems do not learn what happens.',
    broken: 'Endpoints that do not receive',
    failures: (count) => `${count} failed attempts in a row`,
    failed: 'Last failed deliveries',
    all: 'See all failed ones',
  },
  nothing: 'Nothing is pending for your role.',
};
