import type { Environment } from './environments.ts';
import { DATABASE_ROLE, type Module, MODULES, readsReplica } from './modules.ts';

/** The app roles, each of which has connections of its own in a pooler. */
export const POOLED_ROLES: readonly string[] = [...new Set(Object.values(DATABASE_ROLE))]
  .sort()
  .map((schema) => `${schema}_app`);

/** The databases of a module: the variables that hold their addresses. */
export const databasesOf = ({ secrets }: Pick<Module, 'secrets'>): string[] =>
  secrets.own.filter((variable) => variable.endsWith('DATABASE_URL'));

/** Copies of a module at most: as many as the scaler allows, and one more while a release replaces them. */
export const copiesAtMost = ({ replicas }: Environment): number => replicas.max + 1;

/** What all processes of an environment may open: to the server and its replica, or to a pooler where there is one. */
export function poolConnections(environment: Environment): number {
  const servers = (module: Module) => (readsReplica(module, environment) ? 2 : 1);
  const ofCopy = (module: Module) =>
    Number(module.settings.DATABASE_POOL_SIZE) * databasesOf(module).length * servers(module);
  return MODULES.reduce((sum, module) => sum + ofCopy(module) * copiesAtMost(environment), 0);
}
