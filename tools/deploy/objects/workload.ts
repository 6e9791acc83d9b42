import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IService, IServiceAccount } from 'kubernetes-models/v1';
import type { Module } from '../modules.ts';
import { PART_OF, selectorOf } from './naming.ts';
import { appContainer, confinedPod, spread, withFiles } from './pod.ts';

/** How many copies there are is the scaler's affair: a number here would undo it with every release. */
export function deployment(module: Module): IDeployment {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: module.name, labels: { ...selectorOf(module), ...PART_OF } },
    spec: {
      selector: { matchLabels: selectorOf(module) },
      revisionHistoryLimit: 5,
      progressDeadlineSeconds: 600,
      minReadySeconds: 10,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      template: {
        metadata: { labels: { ...selectorOf(module), ...PART_OF } },
        spec: {
          ...withFiles(module, confinedPod(module.name, module.resources.tmp)),
          terminationGracePeriodSeconds: module.graceSeconds,
          topologySpreadConstraints: spread(module),
          containers: [appContainer(module)],
        },
      },
    },
  };
}

/** Every port by its name. Only an Ingress makes one public, and none does so with `ops`. */
export function service(module: Module): IService {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: module.name, labels: { ...selectorOf(module), ...PART_OF } },
    spec: {
      selector: selectorOf(module),
      ports: Object.entries(module.ports).map(([name, port]) => ({ name, port, targetPort: name, protocol: 'TCP' })),
    },
  };
}

export function disruptionBudget(module: Module): IPodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: module.name, labels: { ...selectorOf(module), ...PART_OF } },
    spec: {
      maxUnavailable: 1,
      selector: { matchLabels: selectorOf(module) },
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
    },
  };
}

/**
 * The identity of a module's pods. No token for the API of Kubernetes; where the module asks AWS, the role that AWS's webhook gives it
 * through a token of its own kind.
 */
export function serviceAccount(name: string, labels: Record<string, string>, role?: string): IServiceAccount {
  return {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      name,
      labels: { ...labels, ...PART_OF },
      ...(role === undefined ? {} : { annotations: { 'eks.amazonaws.com/role-arn': role } }),
    },
    automountServiceAccountToken: false,
  };
}
