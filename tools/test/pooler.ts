import { appRole, Database, SCHEMAS } from '@constancia/persistence';
import { inject } from 'vitest';

type DatabaseOptions = Parameters<typeof Database.connect>[0];
const ROLES = new Set<string>(SCHEMAS.map(appRole));
const connect = Database.connect;

/**
 * With TEST_POOLER=1 the processes under test use the run's server as in a deployment with a pooler: what they connect to as an app role
 * goes through pgbouncer in transaction mode, and straight to the server for what needs a session. What a test asks by itself as superuser
 * or as an owner, and servers of a test's own, stay as they are.
 */
const throughPooler = (options: DatabaseOptions): DatabaseOptions => {
  const address = new URL(options.url);
  const [server, port] = [new URL(inject('postgresUrl')), inject('poolerPort')];
  if (port === undefined || options.directUrl !== undefined) return options;
  if (address.port !== server.port || !ROLES.has(address.username)) return options;
  address.port = String(port);
  return { ...options, url: address.toString(), directUrl: options.url };
};

// Files of a worker share modules: the first of them has done this for all.
if (!('pooled' in connect)) {
  Database.connect = Object.assign(
    function (this: new (options: DatabaseOptions) => Database, options: DatabaseOptions) {
      return connect.call(this, throughPooler(options));
    } as typeof Database.connect,
    { pooled: true },
  );
}
