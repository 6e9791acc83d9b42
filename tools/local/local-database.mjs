const HOSTS = new Set(['localhost', '127.0.0.1', '[::1]', '::1']);

/**
 * Whether the address names this machine: by a loopback name, or by a socket's folder.
 * @param {string} databaseUrl
 */
export function isLocalDatabase(databaseUrl) {
  const { hostname, searchParams } = new URL(databaseUrl);
  // `host` in the query goes before the host of the address; without either, PGHOST may name any machine.
  const hosts = [...(hostname ? [hostname] : []), ...searchParams.getAll('host')].map(decodeURIComponent);
  return hosts.length > 0 && hosts.every((host) => HOSTS.has(host) || host.startsWith('/'));
}
