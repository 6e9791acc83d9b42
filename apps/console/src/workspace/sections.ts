import type { Scope } from '@constancia/contracts/scopes';

export interface NavigationEntry {
  to: '/home' | '/developers/keys' | '/developers/endpoints' | '/developers/deliveries' | '/developers/events';
  /** The key of its text. */
  name: 'home' | 'keys' | 'endpoints' | 'deliveries' | 'events';
  /** Who has none of these scopes does not see it; null: every member does. */
  scopes: readonly Scope[] | null;
}

/** The navigation, in its order. */
export const NAVIGATION: readonly { group: 'start' | 'developers'; entries: readonly NavigationEntry[] }[] = [
  { group: 'start', entries: [{ to: '/home', name: 'home', scopes: null }] },
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
