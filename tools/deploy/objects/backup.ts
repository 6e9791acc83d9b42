import type { ICronJob } from 'kubernetes-models/batch/v1';
import type { IContainer, IServiceAccount } from 'kubernetes-models/v1';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { Environment } from '../environments.ts';
import { PART_OF } from './naming.ts';
import { denyAll, egress } from './network.ts';
import { CONFINED, confinedPod } from './pod.ts';
import { type ExternalSecret, externalSecret } from './secrets.ts';
import { serviceAccount } from './workload.ts';

const NAME = 'backup';
const LABELS = { 'app.kubernetes.io/name': NAME, 'app.kubernetes.io/component': NAME };
const FOLDER = '/backup';

/** As docs/guides/back-up-and-restore.md has it: all schemas, at one moment, by somebody whom the policies of rows let see every row. */
export const DUMP = [
  'pg_dump "$ADMIN_DATABASE_URL" --format=custom --enable-row-security',
  '--schema=platform --schema=platform_v1 --schema=identity --schema=compliance --schema=signing',
  `--file=${FOLDER}/constancia.dump`,
].join(' ');
/** What can be read as a dump is sent, under the time at which it was made. */
const CHECK = `pg_restore --list ${FOLDER}/constancia.dump > /dev/null`;
const SEND = `aws s3 cp --only-show-errors ${FOLDER}/constancia.dump "s3://$BACKUP_BUCKET/$(date -u +%Y/%m/%d/%H%M%SZ).dump"`;

function container(name: string, image: string, script: string, env: IContainer['env']): IContainer {
  return {
    name,
    image,
    command: ['sh', '-euc', script],
    env,
    securityContext: CONFINED,
    resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '1Gi' } },
    volumeMounts: [
      { name: 'tmp', mountPath: '/tmp' },
      { name: 'backup', mountPath: FOLDER },
    ],
  };
}

/** Dumps the database on a schedule and sends the dump to a bucket of its own. Objects have their versions. */
export function backupJob({ backup, aws }: Environment): ICronJob {
  const pod = confinedPod(NAME, '64Mi');
  const secret = { name: 'ADMIN_DATABASE_URL', valueFrom: { secretKeyRef: { name: NAME, key: 'ADMIN_DATABASE_URL' } } };
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: NAME, labels: { ...LABELS, ...PART_OF } },
    spec: {
      schedule: backup.schedule,
      timeZone: 'Etc/UTC',
      concurrencyPolicy: 'Forbid',
      startingDeadlineSeconds: 3_600,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 3,
      jobTemplate: {
        spec: {
          backoffLimit: 2,
          activeDeadlineSeconds: 6 * 3_600,
          template: {
            metadata: { labels: { ...LABELS, ...PART_OF } },
            spec: {
              ...pod,
              volumes: [...(pod.volumes ?? []), { name: 'backup', emptyDir: { sizeLimit: backup.size } }],
              restartPolicy: 'Never',
              initContainers: [container('dump', backup.postgresImage, `${DUMP}\n${CHECK}`, [secret])],
              containers: [
                container('send', backup.awsImage, SEND, [
                  { name: 'BACKUP_BUCKET', value: backup.bucket },
                  { name: 'AWS_REGION', value: aws.region },
                  { name: 'HOME', value: '/tmp' },
                ]),
              ],
            },
          },
        },
      },
    },
  };
}

/** Everything that the backup of an environment consists of, by file. */
export function backupObjects(environment: Environment, role: string): Record<string, object[]> {
  const secret: ExternalSecret = externalSecret(NAME, LABELS, environment, { [NAME]: ['ADMIN_DATABASE_URL'] });
  const account: IServiceAccount = serviceAccount(NAME, LABELS, role);
  const policies: INetworkPolicy[] = [denyAll(NAME, LABELS), ...egress(NAME, LABELS, ['postgres', 'aws'], environment)];
  return { job: [backupJob(environment)], secret: [secret], 'service-account': [account], 'network-policy': policies };
}
