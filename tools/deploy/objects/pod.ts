import path from 'node:path';
import type { IContainer, IPodSpec, IProbe, ISecurityContext } from 'kubernetes-models/v1';
import { hasOperators, type Module, OPERATORS_FOLDER, ROUTES_READY_SECONDS } from '../modules.ts';
import { configOf, imageOf, operatorsOf, secretOf, selectorOf } from './naming.ts';

/** The number of docker/Dockerfile's USER. */
export const RUN_AS = 65_532;

export const CONFINED: ISecurityContext = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser: RUN_AS,
  runAsGroup: RUN_AS,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
};

/** What every pod has in common: nobody in particular, no token, no rights, nothing writable but /tmp. */
export function confinedPod(serviceAccountName: string, tmp: string): Omit<IPodSpec, 'containers'> {
  return {
    serviceAccountName,
    automountServiceAccountToken: false,
    // Variables of other Services (SIGN_PORT of a Service "sign") would pass for configuration.
    enableServiceLinks: false,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: RUN_AS,
      runAsGroup: RUN_AS,
      fsGroup: RUN_AS,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    volumes: [{ name: 'tmp', emptyDir: { sizeLimit: tmp } }],
  };
}

/** The certificate of the pooler, and its key; what signed it, where the modules' containers have that. */
export const POOLER_TLS = 'pooler-tls';
export const POOLER_CA = '/etc/constancia/pooler/ca.crt';
/** Without a pooler it is empty: the pods are the same in every environment. */
const POOLER_VOLUME = {
  name: 'pooler-ca',
  secret: { secretName: POOLER_TLS, optional: true, items: [{ key: 'ca.crt', path: 'ca.crt' }] },
};

/** The same with what signed the pooler's certificate, and the operators' tokens, where operators do something. */
export function withFiles(module: Module, without: Omit<IPodSpec, 'containers'>): Omit<IPodSpec, 'containers'> {
  const pod = { ...without, volumes: [...(without.volumes ?? []), POOLER_VOLUME] };
  if (!hasOperators(module)) return pod;
  const volume = { name: 'operators', secret: { secretName: operatorsOf(module), defaultMode: 0o440 } };
  return { ...pod, volumes: [...(pod.volumes ?? []), volume] };
}

/** What every container has in common. */
export function confinedContainer(
  module: Module,
): Pick<IContainer, 'image' | 'imagePullPolicy' | 'securityContext' | 'volumeMounts'> {
  return {
    image: imageOf(module),
    imagePullPolicy: 'IfNotPresent',
    securityContext: CONFINED,
    volumeMounts: [{ name: 'tmp', mountPath: '/tmp' }],
  };
}

const asks = (path: string, port: string): Pick<IProbe, 'httpGet' | 'timeoutSeconds'> => ({
  httpGet: { path, port },
  timeoutSeconds: 3,
});

/** The container of a module that serves or works. */
export function appContainer(module: Module): IContainer {
  const probed = module.ports.http === undefined ? 'ops' : 'http';
  const { cpu, memory, memoryLimit } = module.resources;
  const confined = confinedContainer(module);
  const poolerCa = { name: POOLER_VOLUME.name, mountPath: path.dirname(POOLER_CA), readOnly: true };
  const operators = { name: 'operators', mountPath: OPERATORS_FOLDER, readOnly: true };
  return {
    name: 'app',
    ...confined,
    volumeMounts: [...(confined.volumeMounts ?? []), poolerCa, ...(hasOperators(module) ? [operators] : [])],
    ports: Object.entries(module.ports).map(([name, containerPort]) => ({ name, containerPort, protocol: 'TCP' })),
    envFrom: [{ configMapRef: { name: configOf(module) } }, { secretRef: { name: secretOf(module) } }],
    resources: { requests: { cpu, memory }, limits: { memory: memoryLimit } },
    // Two minutes to start, then thirty seconds without an answer.
    startupProbe: { ...asks('/livez', probed), periodSeconds: 2, failureThreshold: 60 },
    livenessProbe: { ...asks('/livez', probed), periodSeconds: 10, failureThreshold: 3 },
    readinessProbe: { ...asks('/readyz', probed), periodSeconds: 5, failureThreshold: 2 },
    // Until every router has heard that this pod is going; the kubelet waits by itself, no program of the image is needed.
    lifecycle: { preStop: { sleep: { seconds: ROUTES_READY_SECONDS } } },
  };
}

/** Spreads a module's pods over zones and machines, as well as there are any; each release by itself. */
export const spread = (module: Module) => spreadOver(selectorOf(module));

export function spreadOver(matchLabels: Record<string, string>): NonNullable<IPodSpec['topologySpreadConstraints']> {
  return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
    maxSkew: 1,
    topologyKey,
    whenUnsatisfiable: 'ScheduleAnyway',
    labelSelector: { matchLabels },
    matchLabelKeys: ['pod-template-hash'],
  }));
}
