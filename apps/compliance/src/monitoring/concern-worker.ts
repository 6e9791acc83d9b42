import { parentPort } from 'node:worker_threads';
import { TenantKeyring } from '@constancia/personal-data/keyring';
import type { SubjectPayload, SubjectType } from '@constancia/rule-graph';
import { openMonitoredPayload } from '../screenings/sealed-screening.ts';
import { ChangedEntries } from './changed-entries.ts';
import type { ConcernedSubject, ConcernMessage, ConcernReply, PackedSubject } from './concern-jobs.ts';

/** The thread that finds out whom a change of a list concerns. First the change, then batches of subjects, as many as there are. */
let changed: Promise<ChangedEntries> | undefined;
let keyring: TenantKeyring | undefined;

async function replyTo(message: ConcernMessage): Promise<ConcernReply> {
  if ('list' in message) {
    changed = ChangedEntries.of(message.list, message.packedChanges);
    keyring = TenantKeyring.ofBytes(message.keys);
    await changed;
    return { ready: true };
  }
  const entries = await changed;
  if (entries === undefined || keyring === undefined)
    throw new Error('subjects came before the change that may concern them');
  const subjects = JSON.parse(message.subjects) as PackedSubject[];
  const sealed = Buffer.from(message.sealed.buffer, message.sealed.byteOffset, message.sealed.byteLength);
  const concerned: ConcernedSubject[] = [];
  let at = 0;
  for (const subject of subjects) {
    const [validation_code, subject_type, subject_ref, screening_id, text, length] = subject;
    const bytes = sealed.subarray(at, (at += length));
    const payload = JSON.parse(
      length === 0 ? text : openMonitoredPayload(keyring, screening_id, bytes),
    ) as SubjectPayload;
    if (!entries.concern(payload, subject_type as SubjectType)) continue;
    concerned.push({ validation_code, subject_type, subject_ref, screening_id, payload });
  }
  return { concerned };
}

parentPort?.on('message', (message: ConcernMessage) => {
  replyTo(message).then(
    (reply) => parentPort?.postMessage(reply),
    (error: unknown) => {
      const failed = error instanceof Error ? (error.stack ?? error.message) : String(error);
      parentPort?.postMessage({ failed } satisfies ConcernReply);
    },
  );
});
