import type { ChainHead, Tx } from '@constancia/persistence';
import type { TenantKeyring } from '@constancia/personal-data';
import { In } from 'typeorm';
import { CaseAnchor } from '../case-records/case-anchor.entity.ts';
import { CaseEventRow } from '../case-records/case-event.entity.ts';
import { keyOf, openCase, type StoredCase, WRAPPED_KEY } from '../case-records/case-secrets.ts';
import { type CaseEvent, caseEvent } from '../case-records/case-timeline.ts';
import { archivedRow, type TimelineArchives } from './archive/timeline-archives.ts';
import type { ReviewCase } from '../case-records/review-case.entity.ts';

/** A case with everything that its detail shows. */
export interface CaseFile {
  found: ReviewCase;
  timeline: CaseEvent[];
  /** Links of the timeline that were anchored. */
  anchored: ChainHead[];
  /** The last link before those of `timeline`, which is in an archived file; undefined: the timeline is whole. */
  moved?: ChainHead;
}

/** How the beginning of a timeline is read that is in a file; isRead false: it is left out. */
export interface TimelineReading {
  archives: TimelineArchives;
  isRead: boolean;
}

/** Cases with their timelines, as the transaction sees both. Throws DependencyUnavailable when a timeline that is read is in a file. */
export async function filesOf(
  tx: Tx,
  keyring: TenantKeyring,
  tenantId: string,
  rows: readonly StoredCase[],
  { archives, isRead }: TimelineReading,
): Promise<CaseFile[]> {
  const where = { tenant_id: tenantId, case_id: In(rows.map(({ id }) => id)) };
  const anchors = await tx.manager.findBy(CaseAnchor, where);
  const events = await tx.manager.find(CaseEventRow, { where, order: { case_id: 'ASC', seq: 'ASC' } });
  const [anchorsOf, eventsOf] = [byCase(anchors), byCase(events)];
  const moved = rows.filter(({ id }) => eventsOf.get(id)?.[0]?.seq !== 1).map(({ id }) => id);
  const located = moved.length === 0 ? [] : await archives.locate(tx, tenantId, moved);
  const lines = isRead ? await archives.linesOf(located) : [];
  const archivedOf = new Map(located.map(({ place }, nth) => [place.case_id, { place, lines: lines[nth] }]));
  return rows.map((row) => {
    const key = keyOf(keyring, row);
    const archived = archivedOf.get(row.id);
    const all = [...(archived?.lines?.map(archivedRow) ?? []), ...(eventsOf.get(row.id) ?? [])];
    const timeline = all.map((event) => caseEvent(event, key));
    const file = { found: openCase(keyring, row), timeline, anchored: anchorsOf.get(row.id) ?? [] };
    const isLeftOut = archived !== undefined && archived.lines === undefined;
    return isLeftOut ? { ...file, moved: { seq: archived.place.events, hash: archived.place.head_hash } } : file;
  });
}

interface CasePage {
  beforeId?: string;
  limit: number;
}

/** The same of a page of the tenant's cases, newest first, before a UUID, without what of their timelines is in files. */
export async function listFiles(
  tx: Tx,
  keyring: TenantKeyring,
  tenantId: string,
  { archives, ...page }: CasePage & { archives: TimelineArchives },
): Promise<CaseFile[]> {
  return filesOf(tx, keyring, tenantId, await storedCases(tx, tenantId, page), { archives, isRead: false });
}

/** The rows of such a page, closed. */
export function storedCases(tx: Tx, tenantId: string, { beforeId, limit }: CasePage): Promise<StoredCase[]> {
  return tx.query<StoredCase>(
    `select c.*, ${WRAPPED_KEY} from compliance.review_case c
      where c.tenant_id = $1 and ($2::uuid is null or c.id < $2) order by c.id desc limit $3`,
    [tenantId, beforeId ?? null, limit],
  );
}

function byCase<Row extends { case_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const others = found.get(row.case_id);
    if (others) others.push(row);
    else found.set(row.case_id, [row]);
  }
  return found;
}
