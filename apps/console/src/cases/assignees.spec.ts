import { expect, it } from 'vitest';
import { assigneeNames } from './assignees.ts';

it('lists members whose role may work on cases, and those who have cases without being a member', () => {
  const members = [
    { name: 'Zoe Paz', role: 'analyst' },
    { name: 'Ana Ruiz', role: 'supervisor' },
    { name: 'Bea Gil', role: 'billing' },
    { name: 'Carl Sol', role: 'auditor' },
    { name: 'Dan Rey', role: 'admin' },
  ] as const;
  expect(assigneeNames(['core-banking', 'Zoe Paz', 'Bea Gil'], members)).toEqual([
    'Ana Ruiz',
    'core-banking',
    'Dan Rey',
    'Zoe Paz',
  ]);
  expect(assigneeNames(['core-banking'], [])).toEqual(['core-banking']);
});
