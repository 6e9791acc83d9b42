import type { SubjectKey, TenantKeyring } from '@constancia/personal-data';
import type { Facts, SubjectPayload } from '@constancia/rule-graph';
import type { DismissedHit, Screening } from './screening.entity.ts';

/** A screening as it is read: what was sealed of it is in place. */
export type ScreeningRow = Omit<Screening, keyof SealedScreening | 'erasure_id'>;
/** As lists show it: everything but its facts. */
export type ListedScreening = Omit<ScreeningRow, 'facts' | 'dismissed' | 'names_not_compared'>;

/** What is sealed of a screening: in three parts, since lists need no facts and monitoring needs the payload alone. */
export type ScreeningSecrets = Pick<ScreeningRow, 'facts' | 'dismissed' | 'result'>;

interface SealedFacts {
  facts: Omit<Facts, 'payload'>;
  dismissed: DismissedHit[];
}

/** The columns that keep it; monitored_payload: the payload once more, for monitoring. */
type SealedColumn = 'subject_key_id' | 'sealed_payload' | 'sealed_facts' | 'sealed_result' | 'monitored_payload';
export type SealedScreening = { [Column in SealedColumn]: NonNullable<Screening[Column]> };

type Part = 'payload' | 'facts' | 'result';
const contextOf = (id: string, part: Part): string => `screening:${id}:${part}`;
const monitoredContext = (id: string): string => `monitored_subject:${id}`;

export function sealScreening(
  { keyring, key }: { keyring: TenantKeyring; key: SubjectKey },
  id: string,
  secrets: ScreeningSecrets,
): SealedScreening {
  const { payload, ...facts } = secrets.facts;
  const rest: SealedFacts = { facts, dismissed: secrets.dismissed };
  return {
    subject_key_id: key.id,
    sealed_payload: key.seal(contextOf(id, 'payload'), payload),
    sealed_facts: key.seal(contextOf(id, 'facts'), rest),
    sealed_result: key.sealText(contextOf(id, 'result'), secrets.result),
    monitored_payload: keyring.sealText(monitoredContext(id), JSON.stringify(payload)),
  };
}

/** What was said of a monitored subject, as JSON text. `id`: UUID of its latest screening. */
export function openMonitoredPayload(keyring: TenantKeyring, id: string, sealed: Buffer): string {
  return keyring.openText(monitoredContext(id), sealed);
}

/** Columns of a row that was sealed, or of one that the release before wrote. */
export type MaybeSealed = Pick<Screening, 'id' | 'subject_key_id'> &
  Partial<Pick<Screening, 'sealed_payload' | 'sealed_facts' | 'sealed_result'>> & { wrapped_key: Buffer | null };

/** SQL of the key that a screening was sealed with; `c` is the row. */
export const SUBJECT_KEY = `c.subject_key_id, (select k.wrapped_key from compliance.subject_key k
  where k.tenant_id = c.tenant_id and k.id = c.subject_key_id) as wrapped_key`;
/** With its outcome. */
export const SEALED_RESULT = `c.sealed_result, ${SUBJECT_KEY}`;
/** With its facts, in addition to either of these. */
export const SEALED_FACTS = 'c.sealed_payload, c.sealed_facts';

/** The row with whatever of it is sealed in place. */
export function openScreening<Row extends MaybeSealed>(keyring: TenantKeyring, row: Row): Row {
  const key = keyOf(keyring, row);
  if (key === null) return row;
  const { sealed_payload, sealed_facts, sealed_result } = row;
  const opened: Partial<ScreeningSecrets> = {};
  if (sealed_result) opened.result = key.openText(contextOf(row.id, 'result'), sealed_result);
  if (sealed_facts && sealed_payload) {
    const { facts, dismissed } = key.open<SealedFacts>(contextOf(row.id, 'facts'), sealed_facts);
    const payload = key.open<SubjectPayload>(contextOf(row.id, 'payload'), sealed_payload);
    opened.facts = { ...facts, payload };
    opened.dismissed = dismissed;
  }
  return { ...row, ...opened };
}

function keyOf(keyring: TenantKeyring, { subject_key_id, wrapped_key }: MaybeSealed): SubjectKey | null {
  if (subject_key_id === null) return null;
  if (wrapped_key === null) throw new Error('the key of a screening that is shown exists');
  return keyring.subject(subject_key_id, wrapped_key);
}
