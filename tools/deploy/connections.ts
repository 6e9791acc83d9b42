import type { Environment } from './environments.ts';
import { DATABASE_ROLE, type Module, MODULES, type Peer } from './modules.ts';

/** The app roles, each of which has connections of its own in a pooler. */
export const POOLED_ROLES: readonly string[] = [...new Set(Object.values(DATABASE_ROLE))]
  .sort()
  .map((schema) => `${schema}_app`);

/** The databases of a module: the variables that hold their addresses. */
export const databasesOf = ({ secrets }: Pick<Module, 'secrets'>): string[] =>
  secrets.own.filter((variable) => variable.endsWith('DATABASE_URL'));

/** Whether a module reads lists, exports and statistics from the replica of an environment: the APIs do. */
export const readsReplica = ({ ports }: Pick<Module, 'ports'>, { replica }: Pick<Environment, 'replica'>): boolean =>
  replica.enabled && ports.http !== undefined;

/**
 * Secrets of a module under its own name: with a pooler, also the way to the server itself, for what needs a session; with a replica, also
 * the way there.
 */
export const ownSecrets = (
  module: Pick<Module, 'secrets' | 'ports'>,
  environment: Pick<Environment, 'pooler' | 'replica'>,
): string[] =>
  module.secrets.own.flatMap((name) => {
    if (!name.endsWith('DATABASE_URL')) return [name];
    const others = { DIRECT: environment.pooler.enabled, REPLICA: readsReplica(module, environment) };
    const wanted = Object.entries(others).filter(([, isWanted]) => isWanted);
    return [name, ...wanted.map(([other]) => name.replace(/URL$/, `${other}_URL`))];
  });

/** Where a module goes: with a pooler, to the server itself only where it hears notices. */
export const peersOf = (
  { reaches, listens }: Pick<Module, 'reaches' | 'listens'>,
  { pooler }: Pick<Environment, 'pooler'>,
): Peer[] =>
  reaches.flatMap((peer) => {
    if (peer !== 'postgres' || !pooler.enabled) return [peer];
    return listens > 0 ? ['postgres', 'pooler'] : ['pooler'];
  });

/** Copies of a module at most: as many as the scaler allows, and one more while a release replaces them. */
export const copiesAtMost = ({ replicas }: Environment): number => replicas.max + 1;

/** What all processes of an environment may open: to the server and its replica, or to a pooler where there is one. */
export function poolConnections(environment: Environment): number {
  const servers = (module: Module) => (readsReplica(module, environment) ? 2 : 1);
  const ofCopy = (module: Module) =>
    Number(module.settings.DATABASE_POOL_SIZE) * databasesOf(module).length * servers(module);
  return MODULES.reduce((sum, module) => sum + ofCopy(module) * copiesAtMost(environment), 0);
}
