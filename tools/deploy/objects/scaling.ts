import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { metric, type Scope } from '../alerts/promql.ts';
import type { Environment } from '../environments.ts';
import type { Backlog, Module } from '../modules.ts';
import { PART_OF, selectorOf } from './naming.ts';

const target = ({ name }: Module) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name });

/** More at once, fewer slowly: a burst that returns within five minutes finds the copies still there. */
const PACE = {
  scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 100, periodSeconds: 30 }] },
  scaleDown: { stabilizationWindowSeconds: 300, policies: [{ type: 'Pods', value: 1, periodSeconds: 60 }] },
};

/** An API is scaled by its processor time. */
export function cpuScaler(module: Module, { replicas }: Environment): IHorizontalPodAutoscaler {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: module.name, labels: { ...selectorOf(module), ...PART_OF } },
    spec: {
      scaleTargetRef: target(module),
      minReplicas: replicas.min,
      maxReplicas: replicas.max,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 65 } } },
      ],
      behavior: PACE,
    },
  };
}

/** A backlog as one figure. Every copy exports the whole of it, so copies are never added up. */
export function backlogQuery({ metric: name, by }: Backlog, scope: Scope): string {
  return by === undefined ? `max(${metric(name, scope)})` : `sum(max by (${by}) (${metric(name, scope)}))`;
}

/**
 * A worker is scaled by its backlog, as Prometheus knows it. Never to zero: the copies export it. Without Prometheus there are as
 * many as at least, and their sweeps go on.
 */
export function backlogScaler(module: Module, backlog: Backlog, environment: Environment): IScaledObject {
  const { min, max } = environment.replicas;
  return {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: module.name, labels: { ...selectorOf(module), ...PART_OF } },
    spec: {
      scaleTargetRef: target(module),
      pollingInterval: 15,
      minReplicaCount: min,
      maxReplicaCount: max,
      fallback: { failureThreshold: 4, replicas: min },
      advanced: { horizontalPodAutoscalerConfig: { behavior: PACE } },
      triggers: [
        {
          type: 'prometheus',
          name: backlog.metric.replaceAll('_', '-'),
          metricType: 'AverageValue',
          metadata: {
            serverAddress: environment.monitoring.prometheus,
            query: backlogQuery(backlog, { namespace: environment.namespace, app: module.name }),
            threshold: String(backlog.perCopy),
            ignoreNullValues: 'false',
          },
        },
      ],
    },
  };
}
