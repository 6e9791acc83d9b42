/** What a key or a member may do, and the sentence that the documentation and the pages show for it. */
export const SCOPE_TEXTS = {
  'identity:read': 'Read flows, sessions and subjects.',
  'identity:write': 'Edit flows, open sessions and carry out their steps.',
  'identity:review': 'Decide sessions that wait for a review.',
  'identity:erase': 'Erase a subject in every module.',
  'compliance:read': 'Read screenings, cases, validations, rules and lists.',
  'compliance:screen': 'Screen subjects.',
  'compliance:rules': 'Edit, test and publish validations.',
  'compliance:cases': 'Work on cases: assign, comment, escalate, resolve.',
  'compliance:approve': 'Confirm or return the resolution that another person proposed.',
  'compliance:ros': 'Read ROS drafts and data that is blocked under the legal retention duty.',
  'compliance:lists': 'Replace the internal list.',
  'signing:read': 'Read templates, circuits, signatures and envelopes.',
  'signing:write': 'Edit templates and circuits, sign documents and send envelopes.',
  'webhooks:read': 'Read endpoints, events and deliveries.',
  'webhooks:write': 'Edit endpoints, rotate their secrets and replay deliveries.',
  'billing:read': 'Read the balance, the ledger, usage and statements.',
  'billing:topup': 'Top up the balance.',
  'keys:write': 'Create, change, rotate and delete API keys.',
  'members:write': 'Invite, change and remove members, and end their sessions.',
  'settings:write': 'Change the settings of the tenant and of its modules.',
  'audit:read': 'Read the audit log, and who holds keys and memberships.',
} as const satisfies Record<string, string>;

export type Scope = keyof typeof SCOPE_TEXTS;

export const SCOPES = Object.keys(SCOPE_TEXTS) as Scope[];

const ANALYST = [
  'identity:read',
  'identity:review',
  'compliance:read',
  'compliance:screen',
  'compliance:cases',
] as const;

/**
 * The scopes of each role of a member. Only owners may change owners and close the tenant, which no scope expresses. Developers have no
 * compliance scope: cases contain personal data.
 */
export const ROLE_SCOPES = {
  owner: SCOPES,
  admin: SCOPES,
  developer: ['identity:read', 'identity:write', 'signing:read', 'signing:write', 'webhooks:read', 'webhooks:write', 'keys:write'],
  analyst: ANALYST,
  supervisor: [...ANALYST, 'compliance:approve', 'compliance:rules', 'compliance:ros', 'compliance:lists'],
  sender: ['signing:read', 'signing:write'],
  billing: ['billing:read', 'billing:topup'],
  auditor: ['identity:read', 'compliance:read', 'compliance:ros', 'signing:read', 'webhooks:read', 'billing:read', 'audit:read'],
} as const satisfies Record<string, readonly Scope[]>; // prettier-ignore

export type Role = keyof typeof ROLE_SCOPES;

export const ROLES = Object.keys(ROLE_SCOPES) as Role[];
