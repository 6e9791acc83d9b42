import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import type { IPrometheusRule, IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IJob } from 'kubernetes-models/batch/v1';
import type { IIngress, INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, IContainer, INamespace, IPodSpec, IService, IServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { committedEnvironments } from '../environments.ts';
import { type KubeObject, objectsOf } from '../kustomization.ts';
import type { ExternalSecret } from '../objects/secrets.ts';
import { POLICIES } from './policies.ts';
import { schemaProblems } from './schema.ts';
import { all, one, type Subject, subjects } from './subject.ts';

const SUBJECTS = subjects();

const platform = SUBJECTS.find(({ module }) => module.name === 'platform') as Subject;
const signing = SUBJECTS.find(({ module }) => module.name === 'signing') as Subject;
const sealing = SUBJECTS.find(({ module }) => module.name === 'sealing-worker') as Subject;
const dispatcher = SUBJECTS.find(({ module }) => module.name === 'webhook-dispatcher') as Subject;

const pod = ({ release }: Subject) => one<IDeployment>(release, 'Deployment').spec?.template.spec as IPodSpec;
const app = (subject: Subject) => pod(subject).containers[0] as IContainer;
const spec = ({ release }: Subject) => one<IDeployment>(release, 'Deployment').spec as NonNullable<IDeployment['spec']>;
const job = ({ migration }: Subject) => one<IJob>(migration, 'Job').spec as NonNullable<IJob['spec']>;
const security = (subject: Subject) => app(subject).securityContext as NonNullable<IContainer['securityContext']>;
const drop = (subject: Subject, kind: string) =>
  subject.release.splice(0, Infinity, ...subject.release.filter((object) => object.kind !== kind));
const configOf = ({ release, module }: Subject) =>
  all<IConfigMap>(release, 'ConfigMap').find(({ metadata }) => metadata.name === `${module.name}-config`)
    ?.data as Record<string, string>;
const externalSecret = ({ release, module }: Subject) =>
  all<ExternalSecret>(release, 'ExternalSecret').find(
    ({ metadata }) => metadata.name === `${module.name}-secrets`,
  ) as ExternalSecret;
const secretsOf = (subject: Subject) => externalSecret(subject).spec?.data ?? [];
const network = ({ release }: Subject, name: string) =>
  all<INetworkPolicy>(release, 'NetworkPolicy').find(({ metadata }) => metadata.name === name)?.spec as NonNullable<
    INetworkPolicy['spec']
  >;
const ingress = ({ release }: Subject) => all<IIngress>(release, 'Ingress')[0]?.spec as NonNullable<IIngress['spec']>;
const annotationsOf = ({ release }: Subject, name: string) =>
  all<IIngress>(release, 'Ingress').find(({ metadata }) => metadata.name === name)?.metadata.annotations as Record<
    string,
    string
  >;
const unloggedIn = (subject: Subject, name: string) =>
  Object.entries(annotationsOf(subject, name)).filter(([annotation]) => annotation.endsWith('/enable-access-log'));
const scaler = ({ release }: Subject) => one<IScaledObject>(release, 'ScaledObject').spec;
const rule = ({ release }: Subject) =>
  (one<IPrometheusRule>(release, 'PrometheusRule').spec.groups ?? [])[0]?.rules?.[0] as {
    labels: Record<string, string>;
    annotations: Record<string, string>;
    expr: string;
  };

type Breaks = (subject: Subject) => unknown;

/** For every rule, what breaks it: on a copy of what is deployed, the rule must see each of them. */
const BROKEN: Record<string, { of?: Subject; ways: Breaks[] }> = {
  'A pod shares no namespace of its machine': {
    ways: [
      (s) => (pod(s).hostNetwork = true),
      (s) => (pod(s).hostPID = true),
      (s) => (pod(s).hostIPC = true),
      (s) => ((job(s).template.spec as IPodSpec).hostNetwork = true),
    ],
  },
  'A container is not privileged': { ways: [(s) => (security(s).privileged = true)] },
  'A pod is no process of a Windows host': {
    ways: [(s) => ((pod(s).securityContext ??= {}).windowsOptions = { hostProcess: true })],
  },
  'A pod has volumes of harmless kinds only': {
    ways: [(s) => pod(s).volumes?.push({ name: 'socket', hostPath: { path: '/var/run' } })],
  },
  'A container takes no port of its machine': { ways: [(s) => ((app(s).ports ?? [])[0]!.hostPort = 80)] },
  'A container drops every capability and adds none': {
    ways: [
      (s) => delete security(s).capabilities,
      (s) => (security(s).capabilities = { drop: ['NET_RAW'] }),
      (s) => (security(s).capabilities = { drop: ['ALL'], add: ['NET_BIND_SERVICE'] }),
    ],
  },
  'A container cannot gain privileges': {
    ways: [(s) => delete security(s).allowPrivilegeEscalation, (s) => (security(s).allowPrivilegeEscalation = true)],
  },
  'A container runs as somebody else than root, by number': {
    ways: [
      (s) => (security(s).runAsNonRoot = false),
      (s) => (security(s).runAsUser = 0),
      (s) => {
        delete security(s).runAsUser;
        delete pod(s).securityContext;
      },
    ],
  },
  "A container's system calls are filtered": {
    ways: [
      (s) => (security(s).seccompProfile = { type: 'Unconfined' }),
      (s) => {
        delete security(s).seccompProfile;
        delete pod(s).securityContext?.seccompProfile;
      },
    ],
  },
  'A container sees /proc as containers do': { ways: [(s) => (security(s).procMount = 'Unmasked')] },
  'A container keeps the labels of SELinux and AppArmor that it is given': {
    ways: [
      (s) => (security(s).seLinuxOptions = { user: 'system_u' }),
      (s) => (security(s).appArmorProfile = { type: 'Unconfined' }),
    ],
  },
  'A pod sets no kernel parameter': {
    ways: [(s) => ((pod(s).securityContext ??= {}).sysctls = [{ name: 'net.core.somaxconn', value: '1024' }])],
  },
  'A container writes nowhere but in /tmp': {
    ways: [
      (s) => (security(s).readOnlyRootFilesystem = false),
      (s) => app(s).volumeMounts?.push({ name: 'tmp', mountPath: '/app/cache' }),
      (s) => (app(s).volumeMounts = []),
      (s) => (pod(s).volumes = [{ name: 'tmp', emptyDir: {} }]),
    ],
  },
  'An image is named by its digest': {
    ways: [
      (s) => (app(s).image = 'registry.example/constancia/platform:latest'),
      (s) => (app(s).image = 'constancia/platform'),
    ],
  },
  'A container asks for processor and memory, and has a limit of memory': {
    ways: [
      (s) => delete app(s).resources,
      (s) => delete app(s).resources?.requests?.cpu,
      (s) => delete app(s).resources?.limits,
      (s) => (app(s).resources!.limits = { memory: '64Mi' }),
    ],
  },
  'A pod has an account of its own and no token': {
    ways: [(s) => (pod(s).serviceAccountName = 'default'), (s) => delete pod(s).automountServiceAccountToken],
  },
  'A pod gets no variables about other Services': { ways: [(s) => delete pod(s).enableServiceLinks] },
  'Every account is there and gives no token': {
    ways: [
      (s) => drop(s, 'ServiceAccount'),
      (s) => (one<IServiceAccount>(s.release, 'ServiceAccount').automountServiceAccountToken = true),
    ],
  },
  'A release replaces copies one by one, and is given up when they do not get ready': {
    ways: [
      (s) => (spec(s).strategy = { type: 'Recreate' }),
      (s) => delete spec(s).progressDeadlineSeconds,
      (s) => delete spec(s).minReadySeconds,
      (s) => (spec(s).revisionHistoryLimit = 0),
      (s) => (spec(s).replicas = 3),
    ],
  },
  'A copy is asked whether it has started, lives and is ready': {
    ways: [
      (s) => delete app(s).startupProbe,
      (s) => delete app(s).livenessProbe,
      (s) => delete app(s).readinessProbe,
      // Postgres away must not restart every copy.
      (s) => (app(s).livenessProbe!.httpGet!.path = '/readyz'),
      (s) => (app(s).readinessProbe!.timeoutSeconds = 1),
      (s) => (app(s).readinessProbe!.httpGet!.port = 'ops'),
    ],
  },
  'A copy that goes is given the time that it needs': {
    ways: [
      (s) => delete app(s).lifecycle,
      (s) => (app(s).lifecycle = { preStop: { exec: { command: ['sleep', '5'] } } }),
      (s) => delete pod(s).terminationGracePeriodSeconds,
      (s) => (pod(s).terminationGracePeriodSeconds = s.module.drainSeconds),
    ],
  },
  'Copies are spread over zones and machines': {
    ways: [
      (s) => delete pod(s).topologySpreadConstraints,
      (s) => pod(s).topologySpreadConstraints?.pop(),
      (s) => (pod(s).topologySpreadConstraints![0]!.labelSelector = { matchLabels: { app: 'other' } }),
    ],
  },
  'A Service leads to the copies, by the names of their ports': {
    ways: [
      (s) => (one<IService>(s.release, 'Service').spec!.selector = { app: 'other' }),
      (s) => (one<IService>(s.release, 'Service').spec!.ports![0]!.targetPort = 'web'),
      (s) => one<IService>(s.release, 'Service').spec!.ports!.pop(),
    ],
  },
  'Machines are emptied one copy at a time': {
    ways: [
      (s) => (one<IPodDisruptionBudget>(s.release, 'PodDisruptionBudget').spec!.maxUnavailable = '100%'),
      (s) => (one<IPodDisruptionBudget>(s.release, 'PodDisruptionBudget').spec!.selector = {}),
    ],
  },
  'A schema is brought up to date by a Job of its own, with the image of the release': {
    ways: [
      (s) => delete job(s).template.spec!.containers[0]!.args,
      (s) => (job(s).template.spec!.containers[0]!.image = `r.example/x@sha256:${'1'.repeat(64)}`),
      (s) => delete job(s).activeDeadlineSeconds,
      (s) => delete job(s).ttlSecondsAfterFinished,
      (s) => (job(s).template.spec!.restartPolicy = 'OnFailure'),
      (s) => s.release.push(one(s.migration, 'Job')),
    ],
  },
  'An app is given the variables that it knows, all that it requires, and secrets from the secret store only': {
    ways: [
      (s) => (configOf(s).TRUSTED_PROXIES = '1'),
      (s) => delete configOf(s).MAIL_FROM,
      (s) => (configOf(s).SECRETS_KEY = 'in the open'),
      (s) => secretsOf(s).splice(0, 1),
      (s) => secretsOf(s).push({ secretKey: 'LOG_LEVEL', remoteRef: { key: 'x', property: 'LOG_LEVEL' } }),
      (s) => drop(s, 'ExternalSecret'),
      (s) => (app(s).envFrom = [{ configMapRef: { name: 'somebody-elses' } }]),
      (s) => (app(s).env = [{ name: 'PORT', value: '3000' }]),
    ],
  },
  'The migrate command is given what it knows and requires, and no app what is the owner’s': {
    ways: [
      (s) => one<ExternalSecret>(s.migration, 'ExternalSecret').spec!.data!.pop(),
      (s) => (job(s).template.spec!.containers[0]!.env = [{ name: 'PORT', value: '1' }]),
      (s) =>
        secretsOf(s).push({
          secretKey: 'MIGRATION_DATABASE_URL',
          remoteRef: { key: 'constancia/production/platform-migration', property: 'MIGRATION_DATABASE_URL' },
        }),
    ],
  },
  'An app accepts the values that it is given': {
    of: SUBJECTS.find(({ module, environment }) => module.name === 'platform' && environment.name === 'production'),
    ways: [
      (s) => (configOf(s).PORT = 'http'),
      (s) => (configOf(s).BASE_URL = 'http://api.constancia.example'),
      (s) => (configOf(s).WEBHOOK_ALLOW_LOOPBACK = 'true'),
      (s) => (configOf(s).KMS_ENDPOINT = 'http://kms'),
    ],
  },
  'An app gets the environment that it is in, its ports as its containers have them, and a queue in Redis': {
    of: signing,
    ways: [
      (s) => (configOf(s).SERVICE_ENVIRONMENT = s.environment.name === 'sandbox' ? 'production' : 'sandbox'),
      (s) => (configOf(s).OPS_PORT = '0'),
      (s) => (configOf(s).SIGN_PORT = '80'),
      (s) =>
        secretsOf(s).splice(
          secretsOf(s).findIndex(({ secretKey }) => secretKey === 'REDIS_URL'),
          1,
        ),
    ],
  },
  'A secret is fetched anew within minutes, under a name of its environment': {
    ways: [
      (s) => (externalSecret(s).spec!.refreshInterval = '24h'),
      (s) => (secretsOf(s)[0]!.remoteRef.key = 'elsewhere/platform'),
    ],
  },
  'Nothing comes in or goes out of a pod but what another policy allows': {
    ways: [
      (s) => drop(s, 'NetworkPolicy'),
      (s) => (network(s, 'platform-deny-all').policyTypes = ['Ingress']),
      (s) => (network(s, 'platform-deny-all').egress = [{}]),
      (s) => (network(s, 'platform-deny-all').podSelector = { matchLabels: { app: 'other' } }),
    ],
  },
  'Every policy is about pods of the module, opens one way, and names ports': {
    ways: [
      (s) => (network(s, 'platform-to-dns').podSelector = {}),
      (s) => delete network(s, 'platform-to-redis').egress![0]!.ports,
      (s) => delete network(s, 'platform-to-redis').egress![0]!.to,
      (s) => delete network(s, 'platform-from-prometheus').ingress![0]!.from,
      (s) => network(s, 'platform-to-dns').egress!.push({ ports: [{ port: 1 }], to: [{ podSelector: {} }] }),
    ],
  },
  'A module goes where it has business, by name, and to no other place': {
    ways: [
      (s) => (s.module = { ...s.module, reaches: ['postgres'] }),
      (s) => (s.module = { ...s.module, reaches: [...s.module.reaches, 'webhooks'] }),
    ],
  },
  'Only webhooks and calls of providers go to the internet, and to public addresses alone': {
    of: dispatcher,
    ways: [
      (s) => (network(s, 'webhook-dispatcher-to-redis').egress![0]!.to![0]!.ipBlock = { cidr: '0.0.0.0/0' }),
      (s) => network(s, 'webhook-dispatcher-to-webhooks').egress![0]!.to![0]!.ipBlock!.except!.shift(),
      (s) => delete network(s, 'webhook-dispatcher-to-webhooks').egress![0]!.to![0]!.ipBlock!.except,
      (s) => (network(s, 'webhook-dispatcher-to-webhooks').egress![0]!.to![1]!.ipBlock = { cidr: '::/0' }),
      (s) => network(s, 'webhook-dispatcher-to-webhooks').egress![0]!.to!.pop(),
    ],
  },
  'No pod reaches the metadata of its machine': {
    ways: [(s) => (network(s, 'platform-to-aws').egress![0]!.to![0]!.ipBlock!.cidr = '169.254.0.0/16')],
  },
  'The ops port is open to Prometheus alone; public ports to the Ingress alone': {
    ways: [
      (s) => network(s, 'platform-from-prometheus').ingress![0]!.ports!.push({ port: 3000 }),
      (s) => network(s, 'platform-from-ingress').ingress![0]!.ports!.push({ port: 9090 }),
      (s) => network(s, 'platform-from-ingress').ingress![0]!.from!.push({ namespaceSelector: {} }),
    ],
  },
  'What holds a credential in its path or query is in no access log of the Ingress': {
    of: signing,
    ways: [
      (s) => s.release.splice(0, Infinity, ...s.release.filter(({ metadata }) => metadata.name !== 'signing-unlogged')),
      (s) => unloggedIn(s, 'signing-unlogged').forEach(([name]) => delete annotationsOf(s, 'signing-unlogged')[name]),
      (s) => unloggedIn(s, 'sign').forEach(([name]) => (annotationsOf(s, 'sign')[name] = 'true')),
    ],
  },
  'An API has a public host of its own, over TLS, and never shows its ops port; a worker has none': {
    of: signing,
    ways: [
      (s) => drop(s, 'Ingress'),
      (s) => delete ingress(s).tls,
      (s) => delete ingress(s).ingressClassName,
      (s) => (ingress(s).rules![0]!.host = 'api.constancia.example'),
      (s) => (ingress(s).rules![0]!.http!.paths[0]!.backend.service!.port = { name: 'ops' }),
      (s) => (ingress(s).rules![0]!.http!.paths[0]!.backend.service!.name = 'platform'),
    ],
  },
  'An API is scaled by processor time, between two copies and more': {
    ways: [
      (s) => (one<IHorizontalPodAutoscaler>(s.release, 'HorizontalPodAutoscaler').spec!.minReplicas = 1),
      (s) => (one<IHorizontalPodAutoscaler>(s.release, 'HorizontalPodAutoscaler').spec!.maxReplicas = 2),
      (s) => (one<IHorizontalPodAutoscaler>(s.release, 'HorizontalPodAutoscaler').spec!.metrics = []),
      (s) => (one<IHorizontalPodAutoscaler>(s.release, 'HorizontalPodAutoscaler').spec!.scaleTargetRef.name = 'x'),
      (s) => (s.module = { ...s.module, backlog: sealing.module.backlog }),
    ],
  },
  'A worker is scaled by its backlog as one figure, and goes on when the figure is missing': {
    of: sealing,
    ways: [
      (s) => (scaler(s).minReplicaCount = 0),
      (s) => delete scaler(s).fallback,
      (s) => (scaler(s).triggers[0]!.metadata.query = 'sum(sealing_backlog)'),
      (s) => (scaler(s).triggers[0]!.metadata.query = 'max(up)'),
      (s) => delete scaler(s).triggers[0]!.metadata.threshold,
      (s) => (scaler(s).scaleTargetRef.name = 'signing'),
      (s) => (s.module = { ...s.module, backlog: undefined }),
    ],
  },
  'Prometheus finds every copy by the Service and its ops port': {
    ways: [
      (s) => (one<IServiceMonitor>(s.release, 'ServiceMonitor').spec.selector = {}),
      (s) => (one<IServiceMonitor>(s.release, 'ServiceMonitor').spec.endpoints[0]!.port = 'http'),
      (s) => delete one<IServiceMonitor>(s.release, 'ServiceMonitor').spec.jobLabel,
    ],
  },
  'A module has alerts about itself in its environment, each with a severity, a sentence and a runbook': {
    ways: [
      (s) => (one<IPrometheusRule>(s.release, 'PrometheusRule').spec.groups = []),
      (s) => (rule(s).labels.severity = 'info'),
      (s) => (rule(s).labels.environment = 'staging'),
      (s) => delete rule(s).annotations.summary,
      (s) => delete rule(s).annotations.runbook_url,
      (s) => (rule(s).expr = 'absent(up == 1)'),
    ],
  },
  'A module has a dashboard that Grafana finds, with a question in every panel': {
    ways: [
      (s) =>
        all<IConfigMap>(s.release, 'ConfigMap').forEach(({ metadata }) => delete metadata.labels?.grafana_dashboard),
      (s) =>
        all<IConfigMap>(s.release, 'ConfigMap').forEach((map) => {
          if (map.metadata.labels?.grafana_dashboard) map.data = { 'constancia-platform.json': '{"panels": []}' };
        }),
    ],
  },
  'Every object is what its kind is by its schema': {
    ways: [
      (s) => (spec(s).minReadySeconds = 'ten' as never),
      (s) => delete (one<IService>(s.release, 'Service').spec!.ports![0] as { port?: number }).port,
      (s) => (one<IService>(s.release, 'Service').metadata.name = 'Platform_Service'),
      (s) => (one<IService>(s.release, 'Service').apiVersion = 'v2' as never),
    ],
  },
  'Every object is in the namespace of its environment, and there is one of its name': {
    ways: [
      (s) => delete one<IService>(s.release, 'Service').metadata.namespace,
      (s) => s.release.push(one<IService>(s.release, 'Service')),
    ],
  },
};

describe.each(POLICIES.map((policy) => [policy.rule, policy] as const))('%s', (rule_, { check }) => {
  it.each(SUBJECTS.map((subject) => [`${subject.module.name} in ${subject.environment.name}`, subject] as const))(
    'holds for %s',
    (_, subject) => {
      expect(check(subject)).toEqual([]);
    },
  );

  it('is seen to be broken in every way that it can be', () => {
    const { of = platform, ways } = BROKEN[rule_] ?? { ways: [] };
    expect(ways.length).toBeGreaterThan(0);
    for (const breaks of ways) {
      const broken = { ...of, release: structuredClone(of.release), migration: structuredClone(of.migration) };
      breaks(broken);
      expect(check(broken), breaks.toString()).not.toEqual([]);
    }
  });
});

describe('the namespace of an environment', () => {
  const namespace = (name: string) => objectsOf(`deploy/namespace/overlays/${name}`)[0] as INamespace & KubeObject;

  it.each(committedEnvironments())('of $name takes restricted pods only', (environment) => {
    const object = namespace(environment.name);
    expect(object.metadata.name).toBe(environment.namespace);
    expect(object.metadata.labels).toMatchObject({ 'pod-security.kubernetes.io/enforce': 'restricted' });
    expect(schemaProblems(object)).toEqual([]);
  });
});

describe('hosts', () => {
  it('are of one module each', () => {
    const hosts = SUBJECTS.flatMap(({ release }) => [
      ...new Set(
        all<IIngress>(release, 'Ingress').flatMap(({ spec: ingressSpec }) =>
          (ingressSpec?.rules ?? []).map(({ host }) => host),
        ),
      ),
    ]);
    expect(new Set(hosts).size).toBe(hosts.length);
    expect(hosts).toHaveLength(12);
  });
});
