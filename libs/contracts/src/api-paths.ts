/** The beginnings of the paths that each API host serves, in addition to /docs, /api, /livez and /readyz. A test compares them with docs/api. */
export const API_PATHS = {
  platform: [
    '/embed',
    '/logos',
    '/owner-email',
    '/owner-email-change',
    '/owner-email-stop',
    '/payment-return',
    '/signup',
    '/tenants',
    '/uploads',
    '/webhook-deliveries',
    '/v1/api-keys',
    '/v1/audit-log',
    '/v1/billing',
    '/v1/configuration',
    '/v1/embed',
    '/v1/erasures',
    '/v1/events',
    '/v1/export',
    '/v1/flows',
    '/v1/identity-settings',
    '/v1/kyc',
    '/v1/member-sessions',
    '/v1/members',
    '/v1/notification-settings',
    '/v1/notifications',
    '/v1/oidc',
    '/v1/passkeys',
    '/v1/sign-in-settings',
    '/v1/sso',
    '/v1/wallet',
    '/v1/webhook-endpoints',
  ],
  compliance: [
    '/v1/cases',
    '/v1/compliance-settings',
    '/v1/configuration',
    '/v1/erasures',
    '/v1/export',
    '/v1/lists',
    '/v1/monitored-subjects',
    '/v1/reports',
    '/v1/rules',
    '/v1/screening-batches',
    '/v1/screenings',
    '/v1/templates',
    '/v1/validations',
  ],
  signing: [
    '/keys',
    '/v1/circuits',
    '/v1/configuration',
    '/v1/embed',
    '/v1/envelopes',
    '/v1/erasures',
    '/v1/export',
    '/v1/sign',
    '/v1/signatures',
    '/v1/signing-keys',
    '/v1/signing-settings',
    '/v1/templates',
    '/v1/verify',
  ],
} as const;

export type ApiHost = keyof typeof API_PATHS;

/** The API hosts that serve paths like this one, by their first segments. */
export function hostsServing(path: string): ApiHost[] {
  const begins = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`);
  return (Object.keys(API_PATHS) as ApiHost[]).filter((host) => API_PATHS[host].some(begins));
}
