import {
  ChainArchive,
  type FileContent,
  type FiledChain,
  type History,
  linesOf,
  type NextRow,
} from '@constancia/archives';
import { Database, verifyChain } from '@constancia/persistence';
import { PersonalData, type SubjectKey } from '@constancia/personal-data';
import { ArchiveKeys, ObjectStore } from '@constancia/storage';
import { Logger } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { SigningConfig } from '../config.ts';
import type { TrailEvent } from '../envelope-records/trail.ts';
import { ENVELOPE_TRAIL } from '../envelope-records/envelope-chain.ts';
import { archivedEvent, archivedLink, type EventRow, openedRow, sealedLine, type TrailLink } from './archived-event.ts';
import type { ArchivedTrail } from './archived-trail.entity.ts';
import { TrailArchive } from './trail-archive.entity.ts';

/** A trail of a file. wrapped_key null: destroyed. */
type FiledTrail = FiledChain<ArchivedTrail> & { wrapped_key: Buffer | null };

/** `known`: the head at the last signature. */
const ADDED = `,
  (select k.wrapped_key from signing.subject_key k where k.tenant_id = p.tenant_id and k.id = p.key_id) as wrapped_key,
  (select coalesce(jsonb_agg(jsonb_build_object('seq', e.trail_seq, 'hash', e.trail_hash)), '[]') from signing.envelope e
    where e.id = p.envelope_id and e.trail_seq is not null and e.trail_hash is not null) as known`;

/**
 * Trails of envelopes that ended long ago. A file has whole trails; what is personal in an event is sealed with a key of its trail, so that
 * destroying that key ends it in every copy of the file.
 */
@Injectable()
export class TrailArchives extends ChainArchive<TrailArchive, ArchivedTrail> {
  protected readonly history: History = {
    name: 'envelope-trails',
    table: 'signing.envelope_event',
    archive: { schema: 'signing', table: 'trail_archive' },
    rowsPerFile: 1_000,
    act: 'envelope.archived',
  };
  protected readonly tables = { chain: ENVELOPE_TRAIL, places: 'archived_trail', prefix: 'env' } as const;
  protected override readonly added = ADDED;

  constructor(
    database: Database,
    signer: ArchiveKeys,
    private readonly personal: PersonalData,
    logger: Logger,
    config: SigningConfig,
    objects: ObjectStore,
  ) {
    super(database, { signer, objects, logger, archiveAfterDays: config.trailArchiveAfterDays });
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

  protected override async content(rows: readonly NextRow[]): Promise<FileContent> {
    const keyring = await this.personal.tenant((rows[0] as NextRow).tenant_id);
    const newKeys = new Map<string, ReturnType<typeof keyring.newSubject>>();
    const lines = rows.map(({ line }) => {
      const envelopeId = this.ownerOf(line);
      const own = newKeys.get(envelopeId) ?? keyring.newSubject();
      newKeys.set(envelopeId, own);
      return sealedLine(own.key, line);
    });
    const trails = [...newKeys].map(([envelope_id, { key, wrapped }]) => {
      return { envelope_id, key_id: key.id, wrapped_key: wrapped.toString('hex') };
    });
    return { lines, record: { trails } };
  }

  protected override async opened(archive: TrailArchive, lines: string[]): Promise<string[]> {
    const rows = await Promise.all(
      (await this.placesOf(archive)).map(async (trail) => {
        const key = await this.keyOf(trail as FiledTrail);
        return linesOf(trail, archive, lines).map((line) => JSON.stringify(openedRow(key, line)));
      }),
    );
    return rows.flat();
  }

  /** Without its key: its links alone. */
  protected override async isWhole(trail: FiledChain<ArchivedTrail>, lines: readonly string[]): Promise<boolean> {
    const { events, head_hash, known, owner } = trail;
    const key = await this.keyOf(trail as FiledTrail);
    const rows = lines.map((line) => openedRow(key, line));
    if (rows.some(({ envelope_id }) => envelope_id !== owner)) return false;
    if (key === null) return isLinked(rows, head_hash);
    return verifyChain(rows.map(archivedEvent), [...known, { seq: events, hash: head_hash }]).valid;
  }

  private async filed(tenantId: string, envelopeId: string): Promise<{ trail: FiledTrail; lines: string[] } | null> {
    const [found] = await this.database.tenant(tenantId, (tx) => this.locate(tx, tenantId, [envelopeId]));
    if (!found) return null;
    const [lines] = await this.linesOf([found]);
    return { trail: found.place as FiledTrail, lines: lines as string[] };
  }

  private async keyOf({ tenant_id, key_id, wrapped_key }: FiledTrail): Promise<SubjectKey | null> {
    return wrapped_key && (await this.personal.tenant(tenant_id)).subject(key_id, wrapped_key);
  }
}

function isLinked(rows: readonly EventRow[], head: string): boolean {
  const follows = ({ seq, prev_hash }: EventRow, nth: number) =>
    seq === nth + 1 && (nth === 0 || prev_hash === rows[nth - 1]?.hash);
  return rows.every(follows) && rows.at(-1)?.hash === head;
}
