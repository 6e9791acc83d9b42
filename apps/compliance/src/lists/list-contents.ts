import { MATCHER_VERSION } from '@constancia/name-screening';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData, type RowSealing, type TenantKeyring } from '@constancia/personal-data';
import { Inject, Injectable } from '@nestjs/common';
import type { ListContent } from './list-content.entity.ts';
import { listTransaction } from './list-rows.sql.ts';
import type { ListVersion } from './list-version.entity.ts';

export type ListPart = ListContent['part'];

export type ListVersionKey = Pick<ListVersion, 'id' | 'tenant_id'>;

type Piece = Omit<ListContent, 'version_id' | 'tenant_id'>;

/** Bytes of a stored piece: small enough that reading one does not delay concurrent requests. */
const PIECE_BYTES = 512 * 1024;

/** What list versions consist of, in pieces. Those of a tenant's own list are sealed. */
@Injectable()
export class ListContents {
  /** `personal`: null for a program that works on the operator's lists alone. */
  constructor(
    private readonly database: Database,
    @Inject(PersonalData) private readonly personal: Pick<PersonalData, 'tenant' | 'isSealed'> | null,
  ) {}

  /** What an owner's pieces are sealed with; null: nothing. Await it before a transaction is opened. */
  async keyringFor(tenantId: string | null): Promise<TenantKeyring | null> {
    if (tenantId === null || !(await this.ofTenants().isSealed())) return null;
    return this.ofTenants().tenant(tenantId);
  }

  /** A part of a version, put together from its pieces; undefined when it was never stored. */
  async read(version: ListVersionKey, part: ListPart): Promise<Buffer | undefined> {
    const pieces: Buffer[] = [];
    for await (const piece of this.pieces(version, part)) pieces.push(piece);
    return pieces.length > 0 ? Buffer.concat(pieces) : undefined;
  }

  /** A part of a version, a piece at a time: the driver turns hexadecimal into bytes on the thread that answers requests. */
  async *pieces({ id, tenant_id }: ListVersionKey, part: ListPart): AsyncGenerator<Buffer> {
    for (let seq = 0; ; seq++) {
      const [piece] = await listTransaction(this.database, tenant_id, (tx) =>
        tx.query<Piece>(
          `select part, matcher_version, seq, bytes, wrapped_key from compliance.list_content
            where version_id = $1 and part = $2 and matcher_version = $3 and seq = $4`,
          [id, part, matcherOf(part), seq],
        ),
      );
      if (!piece) return;
      yield await this.opened({ id, tenant_id }, piece);
    }
  }

  /** Stores a part of a version. One that is there already stays as it is: the same build made it. */
  async write(
    tx: Tx,
    { id, tenant_id }: ListVersionKey,
    { part, bytes, keyring }: { part: ListPart; bytes: Buffer; keyring: TenantKeyring | null },
  ): Promise<void> {
    for (let seq = 0; seq * PIECE_BYTES < Math.max(bytes.length, 1); seq++) {
      const clear = bytes.subarray(seq * PIECE_BYTES, (seq + 1) * PIECE_BYTES);
      const piece = { part, matcher_version: matcherOf(part), seq, bytes: clear };
      const sealed = keyring && sealPiece(keyring, id, piece);
      await tx.query(
        `insert into compliance.list_content (version_id, tenant_id, part, matcher_version, seq, bytes, wrapped_key)
         values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
        [id, tenant_id, part, piece.matcher_version, seq, sealed?.bytes ?? clear, sealed?.wrapped_key ?? null],
      );
    }
  }

  private async opened({ id, tenant_id }: ListVersionKey, piece: Piece): Promise<Buffer> {
    if (tenant_id === null || piece.wrapped_key === null) return piece.bytes;
    const keyring = await this.ofTenants().tenant(tenant_id);
    return keyring.subject(id, piece.wrapped_key).openBytes(contextOf(id, piece), piece.bytes);
  }

  private ofTenants(): Pick<PersonalData, 'tenant' | 'isSealed'> {
    if (!this.personal) throw new Error('this program works on the lists of the operator alone');
    return this.personal;
  }
}

/** Seals what is still in the clear of a tenant's versions, a piece at a time as well. */
export async function sealListVersionsById(
  tx: Tx,
  { keyring, tenantId }: RowSealing,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids) {
    for (;;) {
      const [piece] = await tx.query<Piece>(
        `select part, matcher_version, seq, bytes, wrapped_key from compliance.list_content
          where tenant_id = $1 and version_id = $2 and wrapped_key is null limit 1`,
        [tenantId, id],
      );
      if (!piece) break;
      const { bytes, wrapped_key } = sealPiece(keyring, id, piece);
      const { part, matcher_version, seq } = piece;
      await tx.query('select compliance.seal_list_piece($1, $2, $3, $4, $5, $6, $7)', [
        tenantId,
        id,
        part,
        matcher_version,
        seq,
        bytes,
        wrapped_key,
      ]);
    }
  }
}

function sealPiece(
  keyring: TenantKeyring,
  id: string,
  piece: Omit<Piece, 'wrapped_key'>,
): { bytes: Buffer; wrapped_key: Buffer } {
  const { key, wrapped } = keyring.newSubject(id);
  return { bytes: key.sealBytes(contextOf(id, piece), piece.bytes), wrapped_key: wrapped };
}

const contextOf = (
  id: string,
  { part, matcher_version, seq }: Pick<Piece, 'part' | 'matcher_version' | 'seq'>,
): string => `list_content:${id}:${part}:${matcher_version}:${seq}`;

/** Entries are the same for every matcher; an index fits the one that built it. */
const matcherOf = (part: ListPart): string => (part === 'index' ? MATCHER_VERSION : '');
