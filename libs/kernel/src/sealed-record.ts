import { SecretBox } from './secret-box.ts';

/** Whose a sealed record is. */
export interface RecordOwner {
  tenantId: string;
  subjectId: string;
}

/** What a sealed record is bound to: AES-256-GCM's additional data. */
export const recordContext = ({ tenantId, subjectId }: RecordOwner, context: string): string =>
  `${tenantId}|${subjectId}|${context}`;

/** Encrypts a text about a subject under its data key; `context` says what it is (`subject`, `step_run:<id>`). */
export function sealRecord(dataKey: Buffer, owner: RecordOwner, context: string, text: string): Buffer {
  return new SecretBox([dataKey]).seal(text, recordContext(owner, context));
}

/** Decrypts what sealRecord made. Throws when it was altered, belongs elsewhere, or the key is another. */
export function openRecord(dataKey: Buffer, owner: RecordOwner, context: string, sealed: Buffer): string {
  return new SecretBox([dataKey]).open(sealed, recordContext(owner, context)).toString('utf8');
}
