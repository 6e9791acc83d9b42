export { Env } from './env.ts';
export type { EnvOptions, VariableType } from './env.ts';
export { ConfigInvalid, describeConfig, loadConfig } from './load.ts';
export type { VariableRow } from './load.ts';
