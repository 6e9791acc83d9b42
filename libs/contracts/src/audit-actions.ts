/** What a tenant's audit log records, and the sentence that the documentation and the pages show for it. */
export const AUDIT_ACTION_TEXTS = {
  'api_key.created': 'An API key was created.',
  'api_key.changed': 'The name, scopes, networks or end of an API key were changed.',
  'api_key.rotated': 'An API key was replaced.',
  'api_key.deleted': 'An API key was deleted.',
  'api_key.recovered': 'The default API key was replaced with a mailed recovery token.',
  'member.invited': 'A member was invited.',
  'member.changed': 'The role, status or name of a member was changed.',
  'member.removed': 'A member was removed.',
  'member.session_ended': 'A console session of a member was ended.',
  'member.passkey_added': 'A member added a passkey.',
  'member.passkey_removed': 'A passkey of a member was removed.',
  'member.passkeys_reset': 'Operators removed the passkeys of an owner who lost them.',
  'sign_in_settings.changed': 'What the tenant requires of a sign-in was changed.',
  'webhook_endpoint.created': 'A webhook endpoint was created.',
  'webhook_endpoint.changed': 'A webhook endpoint was changed.',
  'webhook_endpoint.deleted': 'A webhook endpoint was deleted.',
  'webhook_endpoint.secret_rotated': 'The secret of a webhook endpoint was replaced.',
  'webhook_secret.rotated': 'The webhook secret of the tenant was replaced.',
  'tenant.changed': 'The name, language or colour of the tenant was changed.',
  'tenant_logo.changed': 'The logo of the tenant was replaced or removed.',
  'owner_email.change_requested': 'Another address for the owner was asked for.',
  'owner_email.change_withdrawn': 'A change of the owner’s address was withdrawn.',
  'owner_email.change_stopped': 'A change of the owner’s address was stopped from the present address.',
  'owner_email.changed': 'The address of the owner was replaced by one that was proven.',
  'topup.created': 'A top-up was created.',
  'return_origins.changed': 'The origins that payers return to were replaced.',
  'identity_settings.changed': 'The settings of the identity module were replaced.',
  'billing_settings.changed': 'The settings of the module billing were replaced.',
  'compliance_settings.changed': 'The settings of the compliance module were replaced.',
  'erasure.created': 'The erasure of a person was requested.',
  'blocked_data.read': 'Data that an erasure keeps under the legal duty was read.',
} as const satisfies Record<string, string>;

export type AuditAction = keyof typeof AUDIT_ACTION_TEXTS;

export const AUDIT_ACTIONS = Object.keys(AUDIT_ACTION_TEXTS) as AuditAction[];
