import fs from 'node:fs';
import path from 'node:path';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IContainer, IPodSpec } from 'kubernetes-models/v1';
import { committedEnvironments, type Environment } from '../environments.ts';
import { type KubeObject, objectsOf } from '../kustomization.ts';
import { type Module, MODULES } from '../modules.ts';

/** What is deployed of a module in an environment: the release, and what is applied before it. */
export interface Subject {
  module: Module;
  environment: Environment;
  release: KubeObject[];
  /** Empty where there is nothing to migrate. */
  migration: KubeObject[];
}

/** A rule about what is deployed; what breaks it, one sentence each. */
export interface Policy {
  rule: string;
  check: (subject: Subject) => string[];
}

/** Every module in every environment, from the committed files or those in another folder. */
export function subjects(root = '.', environments: readonly Environment[] = committedEnvironments()): Subject[] {
  return environments.flatMap((environment) =>
    MODULES.map((module) => {
      const folder = path.join(root, `deploy/${module.name}/overlays/${environment.name}`);
      const migration = `${folder}/migration`;
      return {
        module,
        environment,
        release: objectsOf(folder),
        migration: fs.existsSync(migration) ? objectsOf(migration) : [],
      };
    }),
  );
}

/** The objects of a kind. */
export const all = <T>(objects: readonly KubeObject[], kind: string): (T & KubeObject)[] =>
  objects.filter((object) => object.kind === kind) as (T & KubeObject)[];

/** The only object of a kind. Throws when there is another number of them. */
export function one<T>(objects: readonly KubeObject[], kind: string): T & KubeObject {
  const found = all<T>(objects, kind);
  if (found.length !== 1) throw new Error(`there are ${found.length} objects of kind ${kind}`);
  return found[0] as T & KubeObject;
}

export interface Pod {
  name: string;
  labels: Record<string, string>;
  spec: IPodSpec;
}

/** Every pod that a subject brings. */
export function podsOf({ release, migration }: Subject): Pod[] {
  const objects = [...release, ...migration];
  return [...all<IDeployment>(objects, 'Deployment'), ...all<IJob>(objects, 'Job')].map(({ metadata, spec }) => ({
    name: metadata.name,
    labels: spec?.template?.metadata?.labels ?? {},
    spec: spec?.template?.spec as IPodSpec,
  }));
}

export const containersOf = ({ spec }: Pod): IContainer[] => [...(spec.initContainers ?? []), ...spec.containers];

/** A rule about every pod. */
export const aboutPods = (rule: string, broken: (pod: Pod) => (string | false | undefined)[]): Policy => ({
  rule,
  check: (subject) =>
    podsOf(subject).flatMap((pod) => broken(pod).flatMap((what) => (what ? [`${pod.name}: ${what}`] : []))),
});

/** A rule about every container. */
export const aboutContainers = (
  rule: string,
  broken: (container: IContainer, pod: Pod) => (string | false | undefined)[],
): Policy => aboutPods(rule, (pod) => containersOf(pod).flatMap((container) => broken(container, pod)));

/** Of sentences and whether each is averted, those that are not. */
export const unmet = (averted: Record<string, boolean>): string[] =>
  Object.keys(averted).filter((what) => !averted[what]);

export const selects = (selector: Record<string, string> | undefined, labels: Record<string, string>): boolean =>
  selector !== undefined &&
  Object.keys(selector).length > 0 &&
  Object.entries(selector).every(([name, value]) => labels[name] === value);
