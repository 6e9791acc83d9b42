import { parentPort } from 'node:worker_threads';
import { TenantKeyring } from '@constancia/personal-data/keyring';
import type { SubjectPayload, SubjectType } from '@constancia/rule-graph';
import { openMonitoredPayload } from '../screenings/sealed-screening.ts';
import { ChangedEntries } from './changed-entries.ts';
import type { ConcernedSubject, ConcernMessage, ConcernReply, PackedSubjects } from './concern-jobs.ts';

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
  const [codes, types, refs, screenings, texts, lengths] = JSON.parse(message.subjects) as PackedSubjects;
  const sealed = Buffer.from(message.sealed.buffer, message.sealed.byteOffset, message.sealed.byteLength);
  const concerned: ConcernedSubject[] = [];
  let at = 0;
  for (const [nth, length] of lengths.entries()) {
    const screening_id = screenings[nth] as string;
    const subject_type = types[nth] as string;
    const bytes = sealed.subarray(at, (at += length));
    const text = length === 0 ? (texts[nth] as string) : openMonitoredPayload(keyring, screening_id, bytes);
    const payload = JSON.parse(text) as SubjectPayload;
    if (!entries.concern(payload, subject_type as SubjectType)) continue;
    const key = { validation_code: codes[nth] as string, subject_type, subject_ref: refs[nth] as string };
    concerned.push({ ...key, screening_id, payload });
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
