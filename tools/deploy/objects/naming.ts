import type { Module } from '../modules.ts';

/** Labels that select a module's pods, for good: a selector cannot be changed later. */
export const selectorOf = ({ name }: Pick<Module, 'name'>): Record<string, string> => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/component': 'app',
});

/** The same for the pod that brings the schema up to date. */
export const migrationSelectorOf = ({ name }: Pick<Module, 'name'>): Record<string, string> => ({
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/component': 'migration',
});

export const PART_OF = { 'app.kubernetes.io/part-of': 'constancia' };

/** What stands between the modules and PostgreSQL, where an environment has it. */
export const POOLER = {
  name: 'pooler',
  port: 6432,
  labels: { 'app.kubernetes.io/name': 'pooler', 'app.kubernetes.io/component': 'pooler' },
} as const;

/** Names of the objects of a module. */
export const configOf = ({ name }: Pick<Module, 'name'>) => `${name}-config`;
export const secretOf = ({ name }: Pick<Module, 'name'>) => `${name}-secrets`;
export const operatorsOf = ({ name }: Pick<Module, 'name'>) => `${name}-operators`;
export const migrationOf = ({ name }: Pick<Module, 'name'>) => `${name}-migration`;

/** The image as bases name it; each overlay says which one that is. */
export const imageOf = ({ name }: Pick<Module, 'name'>) => `constancia/${name}`;
