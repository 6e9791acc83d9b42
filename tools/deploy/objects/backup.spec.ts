import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import type { ICronJob } from 'kubernetes-models/batch/v1';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IContainer, IPodSpec, IServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { committedEnvironments } from '../environments.ts';
import { objectsOf } from '../kustomization.ts';
import { schemaProblems } from '../policies/schema.ts';
import { all, one } from '../policies/subject.ts';
import { CONFINED } from './pod.ts';

describe.each(committedEnvironments())('the scheduled backup of $name', ({ name, namespace, aws, backup }) => {
  const objects = objectsOf(`deploy/backup/overlays/${name}`);
  const job = one<ICronJob>(objects, 'CronJob');
  const pod = job.spec?.jobTemplate.spec?.template.spec as IPodSpec;
  const dump = pod.initContainers?.[0] as IContainer;
  const send = pod.containers[0] as IContainer;
  const scriptOf = ({ command }: IContainer) => command?.at(-1) as string;

  it('is what its kinds are by their schemas, in the namespace', () => {
    expect(objects.flatMap(schemaProblems)).toEqual([]);
    expect(objects.map(({ metadata }) => metadata.namespace)).toEqual(objects.map(() => namespace));
  });

  it('dumps as the guide does, sends only what can be read as a dump, and one at a time', () => {
    const guide = fs.readFileSync('docs/guides/back-up-and-restore.md', 'utf8');
    const command = /^pg_dump (?:.*\\\n)*.*$/m
      .exec(guide)?.[0]
      .replace(/\\\n\s*/g, '')
      .replace('$BACKUP', '/backup');
    expect(
      scriptOf(dump).split('\n')[0]?.replace('--file=/backup/constancia.dump', '--file="/backup/constancia.dump"'),
    ).toBe(command);
    expect(scriptOf(dump)).toContain('pg_restore --list /backup/constancia.dump');
    expect(scriptOf(send)).toContain('"s3://$BACKUP_BUCKET/$(date -u +%Y/%m/%d/%H%M%SZ).dump"');
    expect(send.env).toContainEqual({ name: 'BACKUP_BUCKET', value: backup.bucket });
    expect(backup.bucket).not.toBe(aws.bucket);
    expect(job.spec).toMatchObject({ schedule: '17 7 * * *', timeZone: 'Etc/UTC', concurrencyPolicy: 'Forbid' });
  });

  it('is shell that a shell reads', () => {
    for (const container of [dump, send]) {
      expect(container.command?.slice(0, 2)).toEqual(['sh', '-euc']);
      expect(spawnSync('sh', ['-n', '-c', scriptOf(container)], { encoding: 'utf8' }).stderr).toBe('');
    }
  });

  it('runs confined, and only its dump has the way into the database', () => {
    expect(pod).toMatchObject({ automountServiceAccountToken: false, restartPolicy: 'Never' });
    for (const container of [dump, send]) expect(container.securityContext).toEqual(CONFINED);
    expect(JSON.stringify(send)).not.toContain('DATABASE_URL');
    expect(dump.env?.map((each) => each.valueFrom?.secretKeyRef?.key)).toEqual(['ADMIN_DATABASE_URL']);
  });

  it('reaches PostgreSQL and AWS alone, with a role of its own', () => {
    const policies = all<INetworkPolicy>(objects, 'NetworkPolicy').map(({ metadata }) => metadata.name);
    expect(policies.sort()).toEqual(['backup-deny-all', 'backup-to-aws', 'backup-to-dns', 'backup-to-postgres']);
    expect(one<IServiceAccount>(objects, 'ServiceAccount').metadata.annotations).toEqual({
      'eks.amazonaws.com/role-arn': `arn:aws:iam::${aws.account}:role/constancia-${name}-backup`,
    });
  });
});
