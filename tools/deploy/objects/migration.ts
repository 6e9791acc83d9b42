import type { IJob } from 'kubernetes-models/batch/v1';
import type { Module } from '../modules.ts';
import { migrationOf, migrationSelectorOf, PART_OF } from './naming.ts';
import { confinedContainer, confinedPod } from './pod.ts';

/**
 * Brings the module's schema up to date, under an advisory lock, as the schema's owner. Applied before the release and by itself: a Job
 * cannot be changed, so it is deleted first and goes away an hour after its end.
 */
export function migrationJob(module: Module): IJob {
  const name = migrationOf(module);
  const labels = { ...migrationSelectorOf(module), ...PART_OF };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      backoffLimit: 3,
      activeDeadlineSeconds: 1_800,
      ttlSecondsAfterFinished: 3_600,
      template: {
        metadata: { labels },
        spec: {
          ...confinedPod(name, '16Mi'),
          restartPolicy: 'Never',
          containers: [
            {
              name: 'migrate',
              ...confinedContainer(module),
              args: ['migrate'],
              envFrom: [{ secretRef: { name } }],
              resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '512Mi' } },
            },
          ],
        },
      },
    },
  };
}
