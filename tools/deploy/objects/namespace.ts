import type { INamespace } from 'kubernetes-models/v1';
import type { Environment } from '../environments.ts';
import { PART_OF } from './naming.ts';

/** The namespace that all modules of an environment share; the cluster itself refuses pods that are not restricted. */
export function namespaceOf({ namespace, name }: Environment): INamespace {
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: {
      name: namespace,
      labels: {
        ...PART_OF,
        'constancia.co/environment': name,
        'pod-security.kubernetes.io/enforce': 'restricted',
        'pod-security.kubernetes.io/enforce-version': 'latest',
        'pod-security.kubernetes.io/warn': 'restricted',
        'pod-security.kubernetes.io/audit': 'restricted',
      },
    },
  };
}
