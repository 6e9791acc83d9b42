import type { Scope } from '@constancia/contracts/scopes';
import type { LinkProps } from '@tanstack/react-router';

export interface NavigationEntry {
  to: NonNullable<LinkProps['to']>;
  /** The key of its text. */
  name: 'home' | 'cases' | 'keys' | 'endpoints' | 'deliveries' | 'events';
  /** Who has none of these scopes does not see it; null: every member does. */
  scopes: readonly Scope[] | null;
}

/** The navigation, in its order. */
export const NAVIGATION: readonly {
  group: 'start' | 'compliance' | 'developers';
  entries: readonly NavigationEntry[];
}[] = [
  { group: 'start', entries: [{ to: '/home', name: 'home', scopes: null }] },
  { group: 'compliance', entries: [{ to: '/cases', name: 'cases', scopes: ['compliance:read'] }] },
  {
    group: 'developers',
    entries: [
      { to: '/developers/keys', name: 'keys', scopes: ['keys:write', 'audit:read'] },
      { to: '/developers/endpoints', name: 'endpoints', scopes: ['webhooks:read'] },
      { to: '/developers/deliveries', name: 'deliveries', scopes: ['webhooks:read'] },
      { to: '/developers/events', name: 'events', scopes: ['webhooks:read'] },
    ],
  },
];
