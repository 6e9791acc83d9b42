import { splitRedisAddresses } from '@constancia/redis/address';

/** Connections that carry data or passwords. */
export const CONNECTIONS = ['smtp', 'redis', 'postgres', 's3'] as const;
export type Connection = (typeof CONNECTIONS)[number];

/** Encrypted, and with a certificate that is verified (pg 8 verifies with each of these). */
const POSTGRES_MODES = ['require', 'verify-ca', 'verify-full'];

const IS_ENCRYPTED: Record<Connection, (url: URL) => boolean> = {
  smtp: ({ protocol, searchParams }) => protocol === 'smtps:' || searchParams.get('requireTLS') === 'true',
  redis: ({ protocol }) => protocol === 'rediss:',
  postgres: ({ searchParams }) => POSTGRES_MODES.includes(searchParams.get('sslmode') ?? ''),
  s3: ({ protocol }) => protocol === 'https:',
};

const INSTEAD: Record<Connection, string> = {
  smtp: 'use smtps://, or smtp:// with ?requireTLS=true for STARTTLS',
  redis: 'use rediss://',
  postgres: 'add ?sslmode=verify-full',
  s3: 'use https://',
};

/** Why an address may not be used in production; undefined when the connection is encrypted. */
export function cleartextProblem(connection: Connection, text: string): string | undefined {
  const addresses = connection === 'redis' ? splitRedisAddresses(text) : [text];
  if (addresses.every((address) => !URL.canParse(address) || IS_ENCRYPTED[connection](new URL(address))))
    return undefined;
  return `is not encrypted in production: ${INSTEAD[connection]}, or, where something else encrypts it (a sidecar, a mesh), list ${connection} in ACCEPTED_CLEARTEXT`;
}
