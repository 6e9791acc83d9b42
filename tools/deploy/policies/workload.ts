import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IContainer, IPodSpec, IService, IServiceAccount } from 'kubernetes-models/v1';
import { bytes } from './quantity.ts';
import { aboutContainers, aboutPods, all, one, type Policy, selects, type Subject, unmet } from './subject.ts';

const DIGEST = /^[\w.-]+(:\d+)?(\/[\w.-]+)+@sha256:[0-9a-f]{64}$/;

function deploymentOf({ release }: Subject): {
  spec: NonNullable<IDeployment['spec']>;
  pod: IPodSpec;
  app: IContainer;
} {
  const { spec } = one<IDeployment>(release, 'Deployment');
  const pod = spec?.template?.spec as IPodSpec;
  return { spec: spec as NonNullable<IDeployment['spec']>, pod, app: pod.containers[0] as IContainer };
}

const found = (...problems: (string | false | undefined)[]): string[] =>
  problems.flatMap((problem) => (problem ? [problem] : []));

/** What a pod of ours is, beyond "restricted". */
export const PODS: readonly Policy[] = [
  aboutContainers('A container writes nowhere but in /tmp', ({ securityContext, volumeMounts }, { spec }) => [
    securityContext?.readOnlyRootFilesystem !== true && 'readOnlyRootFilesystem is not true',
    ...(volumeMounts ?? []).map(
      ({ mountPath, readOnly }) => mountPath !== '/tmp' && readOnly !== true && `${mountPath} can be written`,
    ),
    !volumeMounts?.some(({ mountPath }) => mountPath === '/tmp') && 'there is no /tmp',
    ...(spec.volumes ?? []).map(({ name, emptyDir }) => emptyDir && !emptyDir.sizeLimit && `${name} has no sizeLimit`),
  ]),
  aboutContainers('An image is named by its digest', ({ image }) => [!DIGEST.test(image ?? '') && `image ${image}`]),
  aboutContainers('A container asks for processor and memory, and has a limit of memory', ({ resources }) => {
    const { requests, limits } = resources ?? {};
    return [
      requests?.cpu === undefined && 'no request of processor time',
      requests?.memory === undefined && 'no request of memory',
      limits?.memory === undefined && 'no limit of memory',
      bytes(limits?.memory) < bytes(requests?.memory) && 'the limit of memory is below the request',
    ];
  }),
  aboutPods('A pod has an account of its own and no token', ({ spec, name }) => [
    spec.serviceAccountName !== name && `the account is ${spec.serviceAccountName}`,
    spec.automountServiceAccountToken !== false && 'the token is mounted',
  ]),
  aboutPods('A pod gets no variables about other Services', ({ spec }) => [
    spec.enableServiceLinks !== false && 'enableServiceLinks is not false',
  ]),
  {
    rule: 'Every account is there and gives no token',
    check: ({ release, migration }) =>
      [release, migration].flatMap((objects) => {
        const accounts = all<IServiceAccount>(objects, 'ServiceAccount');
        if (objects.length > 0 && accounts.length !== 1) return [`there are ${accounts.length} ServiceAccounts`];
        return accounts.flatMap(({ metadata, automountServiceAccountToken }) =>
          found(automountServiceAccountToken !== false && `${metadata.name} gives a token`),
        );
      }),
  },
];

/** How a module is released, kept running and looked after. */
export const RELEASES: readonly Policy[] = [
  {
    rule: 'A release replaces copies one by one, and is given up when they do not get ready',
    check: (subject) => {
      const { spec } = deploymentOf(subject);
      const { maxUnavailable, maxSurge } = spec.strategy?.rollingUpdate ?? {};
      return found(
        maxUnavailable !== 0 && `maxUnavailable is ${maxUnavailable}`,
        maxSurge !== 1 && `maxSurge is ${maxSurge}`,
        !spec.progressDeadlineSeconds && 'no progressDeadlineSeconds',
        !spec.minReadySeconds && 'no minReadySeconds',
        (spec.revisionHistoryLimit ?? 0) < 2 && 'there is nothing to roll back to',
        spec.replicas !== undefined && 'the number of copies is the scaler’s',
      );
    },
  },
  {
    rule: 'A copy is asked whether it has started, lives and is ready',
    check: (subject) => {
      const { app } = deploymentOf(subject);
      const probe = subject.module.ports.http === undefined ? 'ops' : 'http';
      const asks = (name: 'startupProbe' | 'livenessProbe' | 'readinessProbe', path: string) =>
        (app[name]?.httpGet?.path !== path || app[name]?.httpGet?.port !== probe) && `${name} does not ask ${path}`;
      return found(
        asks('startupProbe', '/livez'),
        asks('livenessProbe', '/livez'),
        asks('readinessProbe', '/readyz'),
        // Readiness itself may take two seconds: libs/telemetry.
        (app.readinessProbe?.timeoutSeconds ?? 1) <= 2 && 'readinessProbe gives up before /readyz does',
      );
    },
  },
  {
    rule: 'A copy that goes is given the time that it needs',
    check: (subject) => {
      const { app, pod } = deploymentOf(subject);
      const pause = app.lifecycle?.preStop?.sleep?.seconds ?? 0;
      const needs = pause + subject.module.drainSeconds;
      const grace = pod.terminationGracePeriodSeconds ?? 30;
      return found(
        pause < 5 && 'routers have no time to hear of it',
        app.lifecycle?.preStop?.exec !== undefined && 'preStop needs a program of the image',
        grace <= needs && `it is killed after ${grace} s, and may need ${needs}`,
      );
    },
  },
  {
    rule: 'Copies are spread over zones and machines',
    check: (subject) => {
      const { pod, spec } = deploymentOf(subject);
      const labels = spec.template.metadata?.labels ?? {};
      return ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].filter(
        (key) =>
          !pod.topologySpreadConstraints?.some(
            ({ topologyKey, labelSelector }) => topologyKey === key && selects(labelSelector?.matchLabels, labels),
          ),
      );
    },
  },
  {
    rule: 'A Service leads to the copies, by the names of their ports',
    check: (subject) => {
      const { app, spec } = deploymentOf(subject);
      const service = one<IService>(subject.release, 'Service').spec;
      const names = (app.ports ?? []).map(({ name }) => name);
      return found(
        !selects(service?.selector, spec.template.metadata?.labels ?? {}) && 'the Service selects no copy',
        ...(service?.ports ?? []).map(
          ({ targetPort }) => !names.includes(String(targetPort)) && `no container has the port ${targetPort}`,
        ),
        ...names.map((name) => !service?.ports?.some((port) => port.name === name) && `the Service lacks ${name}`),
        !selects(spec.selector.matchLabels, spec.template.metadata?.labels ?? {}) && 'the Deployment selects no copy',
      );
    },
  },
  {
    rule: 'Machines are emptied one copy at a time',
    check: (subject) => {
      const { spec } = one<IPodDisruptionBudget>(subject.release, 'PodDisruptionBudget');
      const labels = deploymentOf(subject).spec.template.metadata?.labels ?? {};
      return found(
        spec?.maxUnavailable !== 1 && `maxUnavailable is ${spec?.maxUnavailable}`,
        !selects(spec?.selector?.matchLabels, labels) && 'the budget is about no copy',
      );
    },
  },
  {
    rule: 'A schema is brought up to date by a Job of its own, with the image of the release',
    check: (subject) => {
      const { migration, module, release } = subject;
      if (module.migration === undefined) return found(migration.length > 0 && 'there is nothing to migrate');
      const { template, ...spec } = one<IJob>(migration, 'Job').spec as NonNullable<IJob['spec']>;
      const { containers, restartPolicy } = template.spec as IPodSpec;
      return unmet({
        'it does not run migrate': containers[0]?.args?.join(' ') === 'migrate',
        'it runs another image': containers[0]?.image === deploymentOf(subject).app.image,
        'it may take for ever': spec.activeDeadlineSeconds !== undefined,
        'it stays for good': spec.ttlSecondsAfterFinished !== undefined,
        'a failure is not kept to be looked at': restartPolicy === 'Never',
        'a Job in the release cannot be applied twice': release.every(({ kind }) => kind !== 'Job'),
      });
    },
  },
];
