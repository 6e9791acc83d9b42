import { type IdPrefix, typeId } from '@constancia/kernel';
import { type ChainedEvent, type ChainHead, type OwnedChain, type Tx, verifyChain } from '@constancia/persistence';
import type { ArchivedChain } from './archived-chain.ts';
import { archiveLine, type ArchivedFile } from './archived-file.ts';
import { type FileContent, HistoryArchive, type NextRow } from './history-archive.ts';

/** The tables of chains that are archived (chainArchiveSchema). */
export interface ChainTables {
  chain: OwnedChain;
  places: string;
  /** Of the owners' ids, as the API shows them. */
  prefix: IdPrefix;
}

/** A page of an export, the newest first. */
interface ExportPage {
  beforeId?: string;
  limit: number;
}

/** `id`: by which the next page begins. */
interface ExportLine {
  id: string;
  line: object;
}

/** A chain of a file. */
export type FiledChain<Place extends ArchivedChain = ArchivedChain> = Place & {
  owner: string;
  /** What else names its links: of the link after it, and heads that are kept elsewhere. */
  next_prev_hash: string | null;
  known: ChainHead[];
};

/** A chain that is archived, and the file that has it. */
export interface LocatedChain<
  Archive extends ArchivedFile = ArchivedFile,
  Place extends ArchivedChain = ArchivedChain,
> {
  place: FiledChain<Place>;
  archive: Archive;
}

/** Chains that are archived whole, once what they belong to is over. */
export abstract class ChainArchive<
  Archive extends ArchivedFile = ArchivedFile,
  Place extends ArchivedChain = ArchivedChain,
> extends HistoryArchive<Archive> {
  protected abstract readonly tables: ChainTables;

  /** SQL of the members that a place has in addition, with a comma before each; `p` is the place. `known`: jsonb. */
  protected readonly added: string = `, '[]'::jsonb as known`;

  /** Those of these owners' chains that are archived, in no order. */
  async locate(tx: Tx, tenantId: string, owners: readonly string[]): Promise<LocatedChain<Archive, Place>[]> {
    const ofOwners = `p.tenant_id = $1 and p.${this.tables.chain.owner} = any ($2)`;
    const places = await this.placesIn(tx, ofOwners, [tenantId, owners]);
    if (places.length === 0) return [];
    const { schema, table } = this.history.archive;
    const ids = places.map(({ archive_id }) => archive_id);
    const archives = await tx.query<Archive>(`select * from ${schema}.${table} where id = any ($1)`, [ids]);
    const byId = new Map(archives.map((archive) => [archive.id, archive]));
    return places.map((place) => ({ place, archive: byId.get(place.archive_id) as Archive }));
  }

  /** The lines of each of these chains, the oldest link first. Throws DependencyUnavailable. */
  async linesOf(located: readonly LocatedChain<Archive, Place>[]): Promise<string[][]> {
    const read = new Map<string, string[]>();
    for (const { archive } of located) if (!read.has(archive.id)) read.set(archive.id, await this.linesFor(archive));
    return located.map(({ place, archive }) => linesOf(place, archive, read.get(archive.id) as string[]));
  }

  /** The tenant's files, as its export names them. */
  async exportedFiles(tx: Tx, tenantId: string, { beforeId, limit }: ExportPage): Promise<ExportLine[]> {
    const { schema, table } = this.history.archive;
    const sql = `select * from ${schema}.${table} where tenant_id = $1 and ($2::bigint is null or through_seq < $2) order by through_seq desc limit $3`;
    const archives = await tx.query<Archive>(sql, [tenantId, beforeId ?? null, limit]);
    return archives.map((archive) => ({
      id: String(archive.through_seq),
      line: { id: archive.id, ...archiveLine(archive) },
    }));
  }

  /** Where the tenant's archived chains are: which file, from which of its rows on, and their heads there. */
  async exportedPlaces(tx: Tx, tenantId: string, { beforeId, limit }: ExportPage): Promise<ExportLine[]> {
    const { chain, places, prefix } = this.tables;
    const { schema, owner } = chain;
    const sql = `select p.*, p.${owner} as owner from ${schema}.${places} p where p.tenant_id = $1 and ($2::uuid is null or p.${owner} < $2) order by p.${owner} desc limit $3`;
    const found = await tx.query<FiledChain>(sql, [tenantId, beforeId ?? null, limit]);
    return found.map(({ owner: id, archive_id, first_row, events, head_hash }) => ({
      id,
      line: { [owner]: typeId(prefix, id), archive_id, first_row, seq: events, hash: head_hash },
    }));
  }

  protected override content(rows: readonly NextRow[]): Promise<FileContent> {
    const lines = rows.map(({ line }) => line);
    return Promise.resolve({ lines, record: { owners: [...new Set(lines.map((line) => this.ownerOf(line)))] } });
  }

  /** Every chain of the file verifies to its head, holds what is known of it, and goes on in the database. */
  protected override async faultIn(archive: Archive, lines: readonly string[]): Promise<string | null> {
    const places = await this.placesOf(archive);
    const events = places.reduce((sum, place) => sum + place.events, 0);
    if (events !== lines.length) return 'chain';
    for (const place of places) {
      if (place.next_prev_hash !== null && place.next_prev_hash !== place.head_hash) return 'chain';
      if (!(await this.isWhole(place, linesOf(place, archive, lines)))) return 'chain';
    }
    return null;
  }

  /** Whether these lines are the chain of this place, to its head. */
  protected isWhole(place: FiledChain<Place>, lines: readonly string[]): Promise<boolean> {
    if (lines.some((line) => this.ownerOf(line) !== place.owner)) return Promise.resolve(false);
    const head = { seq: place.events, hash: place.head_hash };
    return Promise.resolve(
      verifyChain(
        lines.map((line) => this.link(line)),
        [...place.known, head],
      ).valid,
    );
  }

  protected placesOf({ id, tenant_id }: Archive): Promise<FiledChain<Place>[]> {
    return this.database.tenant(tenant_id, (tx) =>
      this.placesIn(tx, 'p.tenant_id = $1 and p.archive_id = $2', [tenant_id, id]),
    );
  }

  protected ownerOf(line: string): string {
    return (JSON.parse(line) as Record<string, string>)[this.tables.chain.owner] as string;
  }

  private placesIn(tx: Tx, where: string, params: unknown[]): Promise<FiledChain<Place>[]> {
    const { chain, places } = this.tables;
    const { schema, table, owner } = chain;
    return tx.query<FiledChain<Place>>(
      `select p.*, p.${owner} as owner,
              (select l.prev_hash from ${schema}.${table} l where l.${owner} = p.${owner} order by l.seq limit 1) as next_prev_hash${this.added}
         from ${schema}.${places} p where ${where} order by p.first_row`,
      params,
    );
  }

  /** A link as it is hashed. */
  private link(line: string): ChainedEvent {
    const row = JSON.parse(line) as ChainedEvent & Record<string, string>;
    const { seq, type, at, data, prev_hash, hash } = row;
    const own = this.tables.chain.members.map((member) => [member, row[member]]);
    const common = { seq, type, at: new Date(at as string).toISOString(), data: JSON.parse(data as string) as object };
    return { ...common, ...Object.fromEntries(own), prev_hash, hash } as ChainedEvent;
  }
}

/** Of the lines of a file, those of one chain. */
export function linesOf(place: ArchivedChain, archive: ArchivedFile, lines: readonly string[]): string[] {
  const first = place.first_row - archive.from_seq;
  return lines.slice(first, first + place.events);
}
