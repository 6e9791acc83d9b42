import { ExternalSecret } from '@kubernetes-models/external-secrets/external-secrets.io/v1beta1';
import { ScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import { PrometheusRule, ServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import { CronJob, Job } from 'kubernetes-models/batch/v1';
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { ConfigMap, Namespace, Service, ServiceAccount } from 'kubernetes-models/v1';
import type { KubeObject } from '../kustomization.ts';
import type { Policy } from './subject.ts';

interface Validated {
  validate(): void;
}

const MODELS: Record<string, new (object: never) => Validated> = {
  'apps/v1 Deployment': Deployment,
  'autoscaling/v2 HorizontalPodAutoscaler': HorizontalPodAutoscaler,
  'batch/v1 CronJob': CronJob,
  'batch/v1 Job': Job,
  'keda.sh/v1alpha1 ScaledObject': ScaledObject,
  'monitoring.coreos.com/v1 PrometheusRule': PrometheusRule,
  'monitoring.coreos.com/v1 ServiceMonitor': ServiceMonitor,
  'networking.k8s.io/v1 Ingress': Ingress,
  'networking.k8s.io/v1 NetworkPolicy': NetworkPolicy,
  'policy/v1 PodDisruptionBudget': PodDisruptionBudget,
  'v1 ConfigMap': ConfigMap,
  'v1 Namespace': Namespace,
  'v1 Service': Service,
  'v1 ServiceAccount': ServiceAccount,
  // Version 1 is v1beta1 under another name; there is no model of it yet.
  'external-secrets.io/v1 ExternalSecret': ExternalSecret,
};
/** There is no model of these for this version of the models. Their types are in objects/gateway.ts and objects/pooler.ts. */
const WITHOUT_MODEL = ['gateway.networking.k8s.io/v1 HTTPRoute', 'cert-manager.io/v1 Certificate'];
const CHECKED_AS: Record<string, string> = { 'external-secrets.io/v1': 'external-secrets.io/v1beta1' };
const NAME = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/;

/** Whether an object is what its kind is by its schema; all that is wrong with it. */
export function schemaProblems(object: KubeObject): string[] {
  const kind = `${object.apiVersion} ${object.kind}`;
  const Model = MODELS[kind];
  const called = `${object.kind} ${object.metadata?.name}`;
  if (WITHOUT_MODEL.includes(kind)) return nameProblems(object);
  if (Model === undefined) return [`${called}: ${kind} is no kind that is expected here`];
  const copy = { ...structuredClone(object), apiVersion: CHECKED_AS[object.apiVersion] ?? object.apiVersion };
  try {
    new Model(copy as never).validate();
  } catch (error) {
    return [`${called}: ${(error as Error).message}`];
  }
  return nameProblems(object);
}

const nameProblems = ({ kind, metadata }: KubeObject): string[] =>
  NAME.test(metadata.name) ? [] : [`${kind} ${metadata.name}: that is no name`];

export const SCHEMA: readonly Policy[] = [
  {
    rule: 'Every object is what its kind is by its schema',
    check: ({ release, migration }) => [...release, ...migration].flatMap(schemaProblems),
  },
  {
    rule: 'Every object is in the namespace of its environment, and there is one of its name',
    check: ({ release, migration, environment }) => {
      const objects = [...release, ...migration];
      const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
      return [
        ...objects
          .filter(({ metadata }) => metadata.namespace !== environment.namespace)
          .map(({ kind, metadata }) => `${kind} ${metadata.name} is in ${metadata.namespace}`),
        ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name} is there twice`),
      ];
    },
  },
];
