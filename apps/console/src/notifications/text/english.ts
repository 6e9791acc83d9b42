import type { SPANISH } from './spanish.ts';

export const ENGLISH: typeof SPANISH = {
  title: 'Notifications',
  lead: 'What waits for you. Each leads to the page where it is resolved; they are deleted after 90 days.',
  choose: 'Choose what you are notified of.',
  none: 'There are no notifications.',
  what: 'Notification',
  state: 'State',
  unread: 'Unread',
  read: 'Read',
  when: 'Date',
  readAll: 'Mark all as read',
  allRead: 'All are marked as read.',
  kinds: {
    case_assigned: 'A case was assigned to you',
    case_escalated: 'A case was escalated',
    case_due_soon: 'A case of yours is due soon',
    case_overdue: 'A case is overdue',
    endpoint_disabled: 'A webhook endpoint was disabled',
    balance_low: 'Credits run low',
    certificate_ends: 'The certificate of your seal ends soon',
  },
  settings: {
    title: 'Your notifications',
    about: 'Of one kind, at most 20 mails are sent in an hour; the console has all.',
    mail: 'By mail',
    console: 'In the console',
    edit: 'Change notifications',
    changed: 'The notifications were changed.',
  },
};
