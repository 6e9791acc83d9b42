import { createHash } from 'node:crypto';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, IContainer, IService } from 'kubernetes-models/v1';
import { poolConnections } from '../connections.ts';
import type { Environment } from '../environments.ts';
import { PART_OF, POOLER } from './naming.ts';
import { denyAll, egress, fromModules } from './network.ts';
import { CONFINED, confinedPod, POOLER_TLS, spreadOver } from './pod.ts';
import { externalSecret } from './secrets.ts';
import { serviceAccount } from './workload.ts';

const { name: NAME, port: PORT, labels: LABELS } = POOLER;
const metadata = { name: NAME, labels: { ...LABELS, ...PART_OF } };
const FOLDER = '/etc/pooler';
const CONFIG = 'pgbouncer.ini';
/** Members of its secret: the app roles with their passwords, and who signed the certificate of the server. */
const USERS = 'users.txt';
const SERVER_CA = 'server-ca.pem';

/** pgbouncer, which reads its certificate, as cert-manager renews it, and its users when it starts and on SIGHUP alone. */
const RELOADING = `while sleep 3600; do kill -HUP 1; done & exec pgbouncer ${FOLDER}/config/${CONFIG}`;

/** A certificate of cert-manager: there is no model of it among those that are used here. */
interface Certificate {
  apiVersion: 'cert-manager.io/v1';
  kind: 'Certificate';
  metadata: { name: string; labels: Record<string, string> };
  spec: { secretName: string; dnsNames: string[]; issuerRef: { kind: 'ClusterIssuer'; name: string } };
}

/**
 * Its settings. `default_pool_size` is for each role, copy and server: it and the number of copies say how many connections a server has. What
 * processes must not rely on is left as strict as pgbouncer has it: unknown parameters of a connection are refused.
 */
function configuration(environment: Environment): string {
  const { pooler, replica } = environment;
  const { server, database, connections } = pooler;
  return [
    '[databases]',
    `${database} = host=${server} port=5432 dbname=${database}`,
    ...(replica.enabled ? [`${database}_replica = host=${replica.server} port=5432 dbname=${database}`] : []),
    '',
    '[pgbouncer]',
    'listen_addr = *',
    `listen_port = ${PORT}`,
    'unix_socket_dir =',
    'pool_mode = transaction',
    `default_pool_size = ${connections}`,
    `max_client_conn = ${poolConnections(environment)}`,
    '; a statement that gets no connection is answered 503, as one that waits for one of its process',
    'query_wait_timeout = 10',
    'server_login_retry = 1',
    'auth_type = scram-sha-256',
    `auth_file = ${FOLDER}/secret/${USERS}`,
    'client_tls_sslmode = require',
    `client_tls_cert_file = ${FOLDER}/tls/tls.crt`,
    `client_tls_key_file = ${FOLDER}/tls/tls.key`,
    'server_tls_sslmode = verify-full',
    `server_tls_ca_file = ${FOLDER}/secret/${SERVER_CA}`,
    'log_connections = 0',
    'log_disconnections = 0',
    '',
  ].join('\n');
}

function configMap(environment: Environment): IConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [CONFIG]: configuration(environment) } };
}

function certificate({ namespace, pooler }: Environment): Certificate {
  return {
    apiVersion: 'cert-manager.io/v1',
    kind: 'Certificate',
    metadata,
    spec: {
      secretName: POOLER_TLS,
      dnsNames: [NAME, `${NAME}.${namespace}`, `${NAME}.${namespace}.svc`],
      issuerRef: { kind: 'ClusterIssuer', name: pooler.issuer },
    },
  };
}

function container(image: string): IContainer {
  const answers = { tcpSocket: { port: 'pooler' }, timeoutSeconds: 3 };
  return {
    name: NAME,
    image,
    command: ['sh', '-c', RELOADING],
    securityContext: CONFINED,
    ports: [{ name: 'pooler', containerPort: PORT, protocol: 'TCP' }],
    resources: { requests: { cpu: '250m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    startupProbe: { ...answers, periodSeconds: 1, failureThreshold: 30 },
    readinessProbe: { ...answers, periodSeconds: 5, failureThreshold: 2 },
    livenessProbe: { ...answers, periodSeconds: 10, failureThreshold: 3 },
    // First new connections go elsewhere. Then SIGINT: transactions under way end, no other begins. SIGTERM means something else in each version.
    lifecycle: { preStop: { exec: { command: ['sh', '-c', 'sleep 5; kill -INT 1; sleep 25'] } } },
    volumeMounts: [
      { name: 'tmp', mountPath: '/tmp' },
      ...['config', 'secret', 'tls'].map((name) => ({ name, mountPath: `${FOLDER}/${name}`, readOnly: true })),
    ],
  };
}

function deployment(environment: Environment): IDeployment {
  const { image, copies } = environment.pooler;
  const pod = confinedPod(NAME, '16Mi');
  const defaultMode = 0o440;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: copies,
      selector: { matchLabels: LABELS },
      revisionHistoryLimit: 5,
      progressDeadlineSeconds: 300,
      minReadySeconds: 10,
      // One that ends keeps its connections to the server until its transactions have ended: beside it there are no more copies than these.
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      template: {
        metadata: {
          labels: { ...LABELS, ...PART_OF },
          // Changed settings restart it.
          annotations: { 'constancia.co/config': sha256(configuration(environment)) },
        },
        spec: {
          ...pod,
          terminationGracePeriodSeconds: 40,
          topologySpreadConstraints: spreadOver(LABELS),
          volumes: [
            ...(pod.volumes ?? []),
            { name: 'config', configMap: { name: NAME } },
            { name: 'secret', secret: { secretName: NAME, defaultMode } },
            { name: 'tls', secret: { secretName: POOLER_TLS, defaultMode } },
          ],
          containers: [container(image)],
        },
      },
    },
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const service: IService = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata,
  spec: { selector: LABELS, ports: [{ name: 'pooler', port: PORT, targetPort: 'pooler', protocol: 'TCP' }] },
};

const disruptionBudget: IPodDisruptionBudget = {
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata,
  spec: { maxUnavailable: 1, selector: { matchLabels: LABELS }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
};

/** Everything that the pooler of an environment consists of, by file. */
export function poolerObjects(environment: Environment): Record<string, object[]> {
  const policies: INetworkPolicy[] = [
    denyAll(NAME, LABELS),
    fromModules(NAME, LABELS, PORT),
    ...egress(NAME, LABELS, ['postgres'], environment),
  ];
  return {
    config: [configMap(environment)],
    certificate: [certificate(environment)],
    deployment: [deployment(environment)],
    service: [service],
    'disruption-budget': [disruptionBudget],
    secret: [externalSecret(NAME, LABELS, environment, { [NAME]: [USERS, SERVER_CA] })],
    'service-account': [serviceAccount(NAME, LABELS)],
    'network-policy': policies,
  };
}
