/** What `@IsUrl` takes as an address of each kind. Hosts without a dot are fine: deployments have them. */
const ANY_HOST = { require_tld: false, require_protocol: true };

export const POSTGRES_ADDRESS = { ...ANY_HOST, protocols: ['postgres', 'postgresql'] };
export const SMTP_ADDRESS = { ...ANY_HOST, protocols: ['smtp', 'smtps'] };
export const HTTP_ADDRESS = { ...ANY_HOST, protocols: ['http', 'https'] };
