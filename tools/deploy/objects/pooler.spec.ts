import fs from 'node:fs';
import type { IScaledObject } from '@kubernetes-models/keda/keda.sh/v1alpha1';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IConfigMap, IContainer, IPodSpec } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { databasesOf, POOLED_ROLES } from '../connections.ts';
import { committedEnvironments } from '../environments.ts';
import { objectsOf } from '../kustomization.ts';
import { schemaProblems } from '../policies/schema.ts';
import { RESTRICTED } from '../policies/restricted.ts';
import { all, one, podsOf, selects, type Subject, subjects } from '../policies/subject.ts';
import { POOLER } from './naming.ts';
import { CONFINED, POOLER_CA, POOLER_TLS } from './pod.ts';
import { poolerObjects } from './pooler.ts';
import type { ExternalSecret } from './secrets.ts';

/** What PostgreSQL is asked to allow for a whole deployment. */
const ALLOWED = 200;
/** A migration has three connections, and migrations of all three modules may run at once; the backup has one. */
const JOBS = 3 * 3 + 1;

const ENVIRONMENTS = committedEnvironments();

const configOf = (environment: string) =>
  one<IConfigMap>(objectsOf(`deploy/pooler/overlays/${environment}`), 'ConfigMap').data?.['pgbouncer.ini'] as string;
const setting = (text: string, name: string) => new RegExp(`^${name} = (.*)$`, 'm').exec(text)?.[1];

/** The most copies of a module that run at once, as its scaler and its Deployment have it. */
function copiesOf({ release }: Subject): number {
  const [cpu] = all<IHorizontalPodAutoscaler>(release, 'HorizontalPodAutoscaler');
  const [backlog] = all<IScaledObject>(release, 'ScaledObject');
  const most = cpu?.spec?.maxReplicas ?? (backlog?.spec.maxReplicaCount as number);
  return most + Number(one<IDeployment>(release, 'Deployment').spec?.strategy?.rollingUpdate?.maxSurge);
}

/**
 * Connections of a copy to the server itself, to the replica, and those of both that pass the pooler: its databases, and whether the secret has
 * the ways to them.
 */
function connectionsOf({ module, release }: Subject): Record<'direct' | 'replica' | 'pooled', number> {
  const config = all<IConfigMap>(release, 'ConfigMap').find(({ metadata }) => metadata.name.endsWith('-config'));
  const secrets = all<ExternalSecret>(release, 'ExternalSecret').flatMap(({ spec }) => spec?.data ?? []);
  const has = (name: string) => secrets.some(({ secretKey }) => secretKey === name);
  const pools = Number(config?.data?.DATABASE_POOL_SIZE) * databasesOf(module).length;
  const replica = has('DATABASE_REPLICA_URL') ? pools : 0;
  return has('DATABASE_DIRECT_URL')
    ? { direct: module.listens, replica, pooled: pools + replica }
    : { direct: pools + module.listens, replica, pooled: 0 };
}

/** Connections of a whole deployment, as the rendered manifests have it. */
function total(environment: string): Record<'server' | 'replica' | 'pooler', number> {
  const found = subjects().filter((subject) => subject.environment.name === environment);
  const sum = (kind: 'direct' | 'replica' | 'pooled') =>
    found.reduce((so, subject) => so + connectionsOf(subject)[kind] * copiesOf(subject), 0);
  if (sum('pooled') === 0) return { server: sum('direct') + JOBS, replica: sum('replica'), pooler: 0 };
  const { replicas, strategy } = one<IDeployment>(objectsOf(`deploy/pooler/overlays/${environment}`), 'Deployment')
    .spec as NonNullable<IDeployment['spec']>;
  // One that ends is not waited for before another starts.
  const copies =
    Number(replicas) + Number(strategy?.rollingUpdate?.maxSurge) + Number(strategy?.rollingUpdate?.maxUnavailable);
  const ofPooler = copies * Number(setting(configOf(environment), 'default_pool_size')) * POOLED_ROLES.length;
  const replica = sum('replica') > 0 ? ofPooler : 0;
  return { server: ofPooler + sum('direct') + JOBS, replica, pooler: sum('pooled') };
}

describe('connections of a whole deployment', () => {
  it('are at most 200 in production, where there would be 985 without a pooler', () => {
    expect(POOLED_ROLES).toEqual(['compliance_app', 'identity_app', 'platform_app', 'signing_app']);
    const { server, replica, pooler } = total('production');
    expect(server).toBeLessThanOrEqual(ALLOWED);
    expect(server).toBe(108 + 65 + JOBS);
    expect(replica).toBe(108); // of another server
    expect(pooler).toBe(910 + 520); // 910 with the 65 and the jobs would be 985 to the server, and 520 to the replica
    // Either copy of the pooler takes all of them when it is the only one.
    expect(Number(setting(configOf('production'), 'max_client_conn'))).toBeGreaterThanOrEqual(pooler);
  });

  it('are those that the guide says', () => {
    const guide = fs.readFileSync('docs/guides/deploy.md', 'utf8');
    for (const { name } of ENVIRONMENTS) expect(guide, name).toContain(`${total(name).server} in the ${name}`);
    expect(guide).toContain(`${total('production').replica} to the replica`);
  });
});

it('there is a pooler where the values ask for one, every module has the way around it, and every API that to the replica', () => {
  for (const { name, pooler, replica } of ENVIRONMENTS) {
    expect(fs.existsSync(`deploy/pooler/overlays/${name}`)).toBe(pooler.enabled);
    for (const { module, release, environment } of subjects()) {
      if (environment.name !== name) continue;
      const keys = all<ExternalSecret>(release, 'ExternalSecret').flatMap(({ spec }) =>
        (spec?.data ?? []).map(({ secretKey }) => secretKey),
      );
      for (const database of databasesOf(module)) {
        const has = (kind: string) => keys.includes(database.replace(/URL$/, `${kind}_URL`));
        expect(has('DIRECT'), `${name} ${module.name}`).toBe(pooler.enabled);
        expect(has('REPLICA'), `${name} ${module.name}`).toBe(replica.enabled && module.ports.http !== undefined);
      }
    }
  }
});

describe.each(ENVIRONMENTS.filter(({ pooler }) => pooler.enabled))('the pooler of $name', (environment) => {
  const { name, namespace, networks } = environment;
  const objects = objectsOf(`deploy/pooler/overlays/${name}`);
  const pod = one<IDeployment>(objects, 'Deployment').spec?.template.spec as IPodSpec;
  const container = pod.containers[0] as IContainer;
  const config = configOf(name);
  const signing = subjects().find(
    (each) => each.module.name === 'signing' && each.environment.name === name,
  ) as Subject;
  const policy = (of: string) =>
    all<INetworkPolicy>(objects, 'NetworkPolicy').find(({ metadata }) => metadata.name === of)?.spec;

  it('is what its kinds are by their schemas, in the namespace', () => {
    expect(objects.flatMap(schemaProblems)).toEqual([]);
    expect(objects.map(({ metadata }) => metadata.namespace)).toEqual(objects.map(() => namespace));
  });

  it('gives connections for a transaction, and encrypts both ways', () => {
    expect(setting(config, 'pool_mode')).toBe('transaction');
    expect(setting(config, 'client_tls_sslmode')).toBe('require');
    expect(setting(config, 'server_tls_sslmode')).toBe('verify-full');
    expect(config).not.toContain('ignore_startup_parameters');
    expect(setting(config, 'listen_port')).toBe(String(POOLER.port));
  });

  it('leads to the replica under a name of its own, where there is one', () => {
    const { pooler, replica } = environment;
    const line = `${pooler.database}_replica = host=${replica.server} port=5432 dbname=${pooler.database}`;
    expect(config.split('\n').includes(line)).toBe(replica.enabled);
    const [without] = poolerObjects({ ...environment, replica: { enabled: false, server: '' } }).config ?? [];
    expect((without as IConfigMap).data?.['pgbouncer.ini']).not.toContain('_replica');
  });

  it('runs confined, with its secret and its certificate', () => {
    const subject = { ...signing, release: objects, migration: [] };
    for (const { rule, check } of RESTRICTED) expect(check(subject), rule).toEqual([]);
    expect(container.securityContext).toEqual(CONFINED);
    expect(pod).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
    const mounted = (container.volumeMounts ?? []).map(({ mountPath, readOnly }) => [mountPath, readOnly ?? false]);
    expect(Object.fromEntries(mounted)).toEqual({
      '/tmp': false,
      '/etc/pooler/config': true,
      '/etc/pooler/secret': true,
      '/etc/pooler/tls': true,
    });
    expect(pod.volumes?.find((volume) => volume.name === 'tls')?.secret?.secretName).toBe(POOLER_TLS);
    expect(JSON.stringify(objects)).not.toContain('password');
  });

  it('is reached by the processes of modules alone, and reaches PostgreSQL alone', () => {
    const names = all<INetworkPolicy>(objects, 'NetworkPolicy').map(({ metadata }) => metadata.name);
    expect(names.sort()).toEqual(['pooler-deny-all', 'pooler-from-modules', 'pooler-to-dns', 'pooler-to-postgres']);
    expect(policy('pooler-deny-all')).toMatchObject({ ingress: [], egress: [], policyTypes: ['Ingress', 'Egress'] });
    expect(policy('pooler-to-postgres')?.egress?.[0]?.to).toEqual(
      networks.postgres.map((cidr) => ({ ipBlock: { cidr } })),
    );
    const [rule] = policy('pooler-from-modules')?.ingress ?? [];
    expect(rule?.ports).toEqual([{ protocol: 'TCP', port: POOLER.port }]);
    const from = rule?.from?.[0]?.podSelector?.matchLabels;
    const labels = podsOf(signing).map((each) => each.labels);
    expect(labels.map((of) => selects(from, of))).toEqual([true, false]); // the app, and not its migration
  });

  it('reads its renewed certificate by itself, as the first process, which is told to end', () => {
    expect(container.command?.slice(0, 2)).toEqual(['sh', '-c']);
    expect(container.command?.[2]).toMatch(/^while sleep 3600; do kill -HUP 1; done & exec pgbouncer \S+$/);
    expect(container.lifecycle?.preStop?.exec?.command?.join(' ')).toContain('kill -INT 1');
  });

  it('is restarted when its settings change', () => {
    const annotations = (connections: number) => {
      const [changed] =
        poolerObjects({ ...environment, pooler: { ...environment.pooler, connections } }).deployment ?? [];
      return (changed as IDeployment).spec?.template.metadata?.annotations;
    };
    const { annotations: rendered } = one<IDeployment>(objects, 'Deployment').spec?.template.metadata ?? {};
    expect(annotations(environment.pooler.connections)).toEqual(rendered);
    expect(annotations(environment.pooler.connections + 1)).not.toEqual(rendered);
  });

  it('shows the modules who signed its certificate, and not its key', () => {
    for (const { release } of subjects()) {
      const { volumes, containers } = one<IDeployment>(release, 'Deployment').spec?.template.spec as IPodSpec;
      const secret = volumes?.find((volume) => volume.name === 'pooler-ca')?.secret;
      expect(secret).toEqual({ secretName: POOLER_TLS, optional: true, items: [{ key: 'ca.crt', path: 'ca.crt' }] });
      expect(containers[0]?.volumeMounts?.map(({ mountPath }) => `${mountPath}/ca.crt`)).toContain(POOLER_CA);
    }
  });
});
