import { type FileContent, type History, HistoryArchive, type NextRow } from '@constancia/archives';
import { type ChainHead, Database, verifyChain } from '@constancia/persistence';
import { PersonalData, type SubjectKey } from '@constancia/personal-data';
import { type ArchiveKey, ArchiveKeys, ObjectStore } from '@constancia/storage';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import type { TrailEvent } from '../envelope-records/trail.ts';
import { archivedEvent, archivedLink, type EventRow, openedRow, sealedLine, type TrailLink } from './archived-event.ts';
import type { ArchivedTrail } from './archived-trail.entity.ts';
import { TrailArchive } from './trail-archive.entity.ts';

/** A trail of a file. */
interface FiledTrail extends ArchivedTrail {
  /** null: destroyed. */
  wrapped_key: Buffer | null;
  /** What else names links of it: the head at the last signature, and the event after it. */
  trail_seq: number | null;
  trail_hash: string | null;
  next_prev_hash: string | null;
}

const FILED = `
  select t.*, k.wrapped_key, e.trail_seq, e.trail_hash,
         (select v.prev_hash from signing.envelope_event v where v.envelope_id = t.envelope_id order by v.seq limit 1) as next_prev_hash
    from signing.archived_trail t
    join signing.envelope e on e.id = t.envelope_id
    join signing.subject_key k on k.tenant_id = t.tenant_id and k.id = t.key_id`;

/**
 * Trails of envelopes that ended long ago. A file has whole trails; what is personal in an event is sealed with a key of its trail, so that
 * destroying that key ends it in every copy of the file.
 */
@Injectable()
export class TrailArchives extends HistoryArchive<TrailArchive> {
  protected readonly history: History = {
    name: 'trails',
    table: 'signing.envelope_event',
    archive: { schema: 'signing', table: 'trail_archive' },
    rowsPerFile: 1_000,
    act: 'envelope.archived',
  };
  protected readonly archiveAfterDays: number;

  constructor(
    database: Database,
    private readonly keys: ArchiveKeys,
    private readonly personal: PersonalData,
    logger: Logger,
    config: SigningConfig,
    objects: ObjectStore,
  ) {
    super(database, logger, objects);
    this.archiveAfterDays = config.trailArchiveAfterDays;
  }

  /** The events of a trail that are in a file, the oldest first; none: all are in the database. Throws DependencyUnavailable. */
  async events(tenantId: string, envelopeId: string): Promise<TrailEvent[]> {
    const filed = await this.filed(tenantId, envelopeId);
    if (!filed) return [];
    const key = await this.keyOf(filed.trail);
    return filed.lines.map((line) => archivedEvent(openedRow(key, line)));
  }

  /** The same without what is personal, for which no key is needed. */
  async links(tenantId: string, envelopeId: string): Promise<TrailLink[]> {
    const filed = await this.filed(tenantId, envelopeId);
    return filed?.lines.map(archivedLink) ?? [];
  }

  protected key(): Promise<ArchiveKey> {
    return this.keys.current();
  }

  protected publicKeyPem(fingerprint: string): Promise<string> {
    return this.keys.publicKeyPem(fingerprint);
  }

  protected override async content(rows: readonly NextRow[]): Promise<FileContent> {
    const keyring = await this.personal.tenant((rows[0] as NextRow).tenant_id);
    const newKeys = new Map<string, ReturnType<typeof keyring.newSubject>>();
    const lines = rows.map(({ line }) => {
      const { envelope_id } = JSON.parse(line) as EventRow;
      const own = newKeys.get(envelope_id) ?? keyring.newSubject();
      newKeys.set(envelope_id, own);
      return sealedLine(own.key, line);
    });
    const trails = [...newKeys].map(([envelope_id, { key, wrapped }]) => {
      return { envelope_id, key_id: key.id, wrapped_key: wrapped.toString('hex') };
    });
    return { lines, record: { trails } };
  }

  protected override async opened(archive: TrailArchive, lines: string[]): Promise<string[]> {
    const rows = await Promise.all(
      (await this.trailsOf(archive)).map(async (trail) => {
        const key = await this.keyOf(trail);
        return linesOf(trail, archive, lines).map((line) => JSON.stringify(openedRow(key, line)));
      }),
    );
    return rows.flat();
  }

  /** Every trail of the file verifies to its head, and the envelope and the events after it go on from there. */
  protected override async faultIn(archive: TrailArchive, lines: readonly string[]): Promise<string | null> {
    const trails = await this.trailsOf(archive);
    const events = trails.reduce((sum, trail) => sum + trail.events, 0);
    if (events !== lines.length) return 'trail';
    for (const trail of trails) {
      const key = await this.keyOf(trail);
      if (!isWhole(trail, linesOf(trail, archive, lines), key)) return 'trail';
    }
    return null;
  }

  private trailsOf({ id, tenant_id }: TrailArchive): Promise<FiledTrail[]> {
    const sql = `${FILED} where t.tenant_id = $1 and t.archive_id = $2 order by t.first_row`;
    return this.database.tenant(tenant_id, (tx) => tx.query<FiledTrail>(sql, [tenant_id, id]));
  }

  private async filed(tenantId: string, envelopeId: string): Promise<{ trail: FiledTrail; lines: string[] } | null> {
    const found = await this.database.tenant(tenantId, async (tx) => {
      const sql = `${FILED} where t.tenant_id = $1 and t.envelope_id = $2`;
      const [trail] = await tx.query<FiledTrail>(sql, [tenantId, envelopeId]);
      const archive = trail && (await tx.manager.findOneBy(TrailArchive, { id: trail.archive_id }));
      return archive && { trail, archive };
    });
    if (!found) return null;
    const { trail, archive } = found;
    return { trail, lines: linesOf(trail, archive, await this.linesFor(archive)) };
  }

  private async keyOf({ tenant_id, key_id, wrapped_key }: FiledTrail): Promise<SubjectKey | null> {
    return wrapped_key && (await this.personal.tenant(tenant_id)).subject(key_id, wrapped_key);
  }
}

function linesOf(trail: ArchivedTrail, archive: TrailArchive, lines: readonly string[]): string[] {
  const first = trail.first_row - archive.from_seq;
  return lines.slice(first, first + trail.events);
}

/** Whether a trail is one chain from its first event to what is known of it. Without its key: its links alone. */
function isWhole(trail: FiledTrail, lines: readonly string[], key: SubjectKey | null): boolean {
  const { events, head_hash, trail_seq, trail_hash, next_prev_hash } = trail;
  const rows = lines.map((line) => openedRow(key, line));
  if (rows.some(({ envelope_id }) => envelope_id !== trail.envelope_id)) return false;
  if (next_prev_hash !== null && next_prev_hash !== head_hash) return false;
  if (key === null) return isLinked(rows, head_hash);
  const known: ChainHead[] = [{ seq: events, hash: head_hash }];
  if (trail_seq !== null && trail_hash !== null) known.push({ seq: trail_seq, hash: trail_hash });
  return verifyChain(rows.map(archivedEvent), known).valid;
}

function isLinked(rows: readonly EventRow[], head: string): boolean {
  const follows = ({ seq, prev_hash }: EventRow, nth: number) =>
    seq === nth + 1 && (nth === 0 || prev_hash === rows[nth - 1]?.hash);
  return rows.every(follows) && rows.at(-1)?.hash === head;
}
