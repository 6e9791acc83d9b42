import type { Scope } from '@constancia/contracts/scopes';
import type { LinkProps } from '@tanstack/react-router';
import type { Messages } from '../text/messages.ts';

export interface NavigationEntry {
  to: NonNullable<LinkProps['to']>;
  /** The key of its text. */
  name: keyof Messages['navigation']['entries'];
  /** Who has none of these scopes does not see it; null: every member does. */
  scopes: readonly Scope[] | null;
  /** Another entry is below its address. */
  exact?: true;
}

interface NavigationGroup {
  group: keyof Messages['navigation']['groups'];
  entries: readonly NavigationEntry[];
}

const SETTINGS = ['settings:write', 'audit:read'] as const;

/** The navigation, in its order. */
export const NAVIGATION: readonly NavigationGroup[] = [
  { group: 'start', entries: [{ to: '/home', name: 'home', scopes: null }] },
  {
    group: 'compliance',
    entries: [
      { to: '/cases', name: 'cases', scopes: ['compliance:read'] },
      { to: '/screenings', name: 'screenings', scopes: ['compliance:read'] },
      { to: '/rules', name: 'rules', scopes: ['compliance:read'] },
      { to: '/reports', name: 'reports', scopes: ['compliance:read'] },
      { to: '/lists', name: 'lists', scopes: ['compliance:read'], exact: true },
      { to: '/lists/monitored', name: 'monitored', scopes: ['compliance:read'] },
    ],
  },
  {
    group: 'identity',
    entries: [
      { to: '/identity/reviews', name: 'reviews', scopes: ['identity:review'] },
      { to: '/identity/sessions', name: 'identitySessions', scopes: ['identity:read'] },
      { to: '/identity/subjects', name: 'subjects', scopes: ['identity:read'] },
      { to: '/identity/flows', name: 'flows', scopes: ['identity:read'] },
    ],
  },
  {
    group: 'persons',
    entries: [
      { to: '/persons/consents', name: 'consents', scopes: ['identity:read'] },
      { to: '/persons/clients', name: 'clients', scopes: ['identity:read'] },
    ],
  },
  {
    group: 'signing',
    entries: [
      { to: '/signing/envelopes', name: 'envelopes', scopes: ['signing:read'] },
      { to: '/signing/circuits', name: 'circuits', scopes: ['signing:read'] },
      { to: '/signing/documents', name: 'documents', scopes: ['signing:read'] },
      { to: '/signing/templates', name: 'templates', scopes: ['signing:read'] },
    ],
  },
  {
    group: 'developers',
    entries: [
      { to: '/developers/keys', name: 'keys', scopes: ['keys:write', 'audit:read'] },
      { to: '/developers/endpoints', name: 'endpoints', scopes: ['webhooks:read'] },
      { to: '/developers/deliveries', name: 'deliveries', scopes: ['webhooks:read'] },
      { to: '/developers/events', name: 'events', scopes: ['webhooks:read'] },
      { to: '/developers/configuration', name: 'configuration', scopes: ['webhooks:write', 'settings:write'] },
    ],
  },
  {
    group: 'money',
    entries: [
      { to: '/money', name: 'balance', scopes: ['billing:read'], exact: true },
      { to: '/money/ledger', name: 'ledger', scopes: ['billing:read'] },
      { to: '/money/topups', name: 'topups', scopes: ['billing:read'] },
    ],
  },
  {
    group: 'team',
    entries: [
      { to: '/team/members', name: 'members', scopes: ['members:write', 'audit:read'] },
      { to: '/team/audit', name: 'audit', scopes: ['audit:read'] },
    ],
  },
  {
    group: 'settings',
    entries: [
      { to: '/settings/tenant', name: 'tenant', scopes: SETTINGS },
      { to: '/settings/sign-in', name: 'signIn', scopes: SETTINGS },
      { to: '/settings/four-eyes', name: 'fourEyes', scopes: SETTINGS },
      { to: '/settings/origins', name: 'origins', scopes: SETTINGS },
      { to: '/settings/sealing', name: 'sealing', scopes: SETTINGS },
    ],
  },
];
