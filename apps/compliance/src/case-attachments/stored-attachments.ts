import { createHash } from 'node:crypto';
import { uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import type { SubjectKey, TenantKeyring } from '@constancia/personal-data';
import { CaseAttachmentRow } from '../case-records/case-attachment.entity.ts';
import type { AttachmentType } from '../case-records/attachment-types.ts';
import { WRAPPED_KEY } from '../case-records/case-secrets.ts';

/** A file as it was sent. */
export interface SentFile {
  name: string;
  type: AttachmentType;
  bytes: Buffer;
}

/** An attachment as it is shown. */
export interface OpenAttachment extends Omit<CaseAttachmentRow, 'sealed_name' | 'sealed_bytes' | 'erased_at'> {
  name: string;
}

/** With its bytes. */
export interface OpenFile {
  attachment: OpenAttachment;
  bytes: Buffer;
}

/** A row with the wrapped key of its subject. */
type StoredAttachment = CaseAttachmentRow & { wrapped_key: Buffer | null };

const nameContext = (id: string): string => `case_attachment:${id}:name`;
const bytesContext = (id: string): string => `case_attachment:${id}:bytes`;

/** What is read of a row \`c\` for a list. */
const SHOWN = `c.id, c.tenant_id, c.case_id, c.subject_key_id, c.media_type, c.size_bytes, c.sha256, c.sealed_name, c.attached_by,
  c.attached_at, c.erased_at, ${WRAPPED_KEY}`;

/** Those of cases that the transaction sees, the oldest first. */
export async function attachmentsOf(
  tx: Tx,
  keyring: TenantKeyring,
  tenantId: string,
  caseIds: readonly string[],
): Promise<OpenAttachment[]> {
  const rows = await tx.query<StoredAttachment>(
    `select ${SHOWN} from compliance.case_attachment c where c.tenant_id = $1 and c.case_id = any ($2) order by c.id`,
    [tenantId, caseIds],
  );
  return rows.flatMap((row) => openAttachment(keyring, row) ?? []);
}

/** A page of those of all of the tenant's cases that the transaction sees, newest first, before a UUID. */
export async function listAttachments(
  tx: Tx,
  keyring: TenantKeyring,
  tenantId: string,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
): Promise<OpenAttachment[]> {
  const rows = await tx.query<StoredAttachment>(
    `select ${SHOWN} from compliance.case_attachment c join compliance.review_case r on r.id = c.case_id
      where c.tenant_id = $1 and ($2::uuid is null or c.id < $2) order by c.id desc limit $3`,
    [tenantId, beforeId ?? null, limit],
  );
  return rows.flatMap((row) => openAttachment(keyring, row) ?? []);
}

/** One with its bytes; null when there is none, or its case is not seen. `caseId`: of this case. */
export async function attachmentWithBytes(
  tx: Tx,
  keyring: TenantKeyring,
  { tenantId, caseId, id }: { tenantId: string; caseId?: string; id: string },
): Promise<OpenFile | null> {
  const [row] = await tx.query<StoredAttachment>(
    `select c.*, ${WRAPPED_KEY} from compliance.case_attachment c join compliance.review_case r on r.id = c.case_id
      where c.tenant_id = $1 and c.id = $2 and ($3::uuid is null or c.case_id = $3)`,
    [tenantId, id, caseId ?? null],
  );
  return row ? openWithBytes(keyring, row) : null;
}

/** Of cases that receipts block, without bytes, the oldest first. */
export async function blockedAttachments(
  tx: Tx,
  keyring: TenantKeyring,
  tenantId: string,
  receipts: readonly string[],
): Promise<OpenAttachment[]> {
  const rows = await tx.query<StoredAttachment>(
    `select c.*, ${WRAPPED_KEY} from compliance.blocked_attachments($1, $2) c`,
    [tenantId, receipts],
  );
  return rows.flatMap((row) => openAttachment(keyring, row) ?? []);
}

/** One of them with its bytes; null when there is none. */
export async function blockedAttachmentWithBytes(
  tx: Tx,
  keyring: TenantKeyring,
  { tenantId, receipts, id }: { tenantId: string; receipts: readonly string[]; id: string },
): Promise<OpenFile | null> {
  const [row] = await tx.query<StoredAttachment>(
    `select c.*, ${WRAPPED_KEY} from compliance.blocked_attachments($1, $2, $3) c`,
    [tenantId, receipts, id],
  );
  return row ? openWithBytes(keyring, row) : null;
}

/** Keeps a file with a case whose row the transaction holds. */
export async function insertAttachment(
  tx: Tx,
  key: SubjectKey,
  of: Pick<CaseAttachmentRow, 'tenant_id' | 'case_id' | 'attached_by'>,
  { name, type, bytes }: SentFile,
): Promise<OpenAttachment> {
  const id = uuidv7();
  const row = {
    ...of,
    id,
    subject_key_id: key.id,
    media_type: type,
    size_bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest(),
    attached_at: new Date(),
  };
  const sealed = {
    sealed_name: key.sealText(nameContext(id), name),
    sealed_bytes: key.sealBytes(bytesContext(id), bytes),
  };
  await tx.manager.insert(CaseAttachmentRow, { ...row, ...sealed, erased_at: null });
  return { ...row, name };
}

/** Removes names and bytes whose keys are destroyed. */
export async function eraseAttachments(tx: Tx, tenantId: string, keyIds: readonly string[]): Promise<void> {
  await tx.query(
    `update compliance.case_attachment set sealed_name = null, sealed_bytes = null, erased_at = now()
      where tenant_id = $1 and subject_key_id = any ($2) and erased_at is null`,
    [tenantId, keyIds],
  );
}

/** Null: its key or its content is gone. */
function openAttachment(keyring: TenantKeyring, row: StoredAttachment): OpenAttachment | null {
  const { wrapped_key, sealed_name, sealed_bytes: _, erased_at: __, ...shown } = row;
  if (wrapped_key === null || sealed_name === null) return null;
  const key = keyring.subject(row.subject_key_id, wrapped_key);
  return { ...shown, name: key.openText(nameContext(row.id), sealed_name) };
}

function openWithBytes(keyring: TenantKeyring, row: StoredAttachment): OpenFile | null {
  const attachment = openAttachment(keyring, row);
  if (attachment === null || row.wrapped_key === null || !row.sealed_bytes) return null;
  const key = keyring.subject(row.subject_key_id, row.wrapped_key);
  return { attachment, bytes: key.openBytes(bytesContext(row.id), row.sealed_bytes) };
}
