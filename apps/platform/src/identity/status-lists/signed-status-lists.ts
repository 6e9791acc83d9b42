import { createHash } from 'node:crypto';
import { STATUS_LIST_SECONDS, STATUS_LIST_TTL_SECONDS } from '@constancia/contracts';
import { typeId, uuidOf } from '@constancia/kernel';
import type { JwtSigner } from '@constancia/signed-jwt';
import { issueStatusList, StatusList } from '@constancia/status-list';
import { Logger, Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../../config.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { TokenKeys } from '../token-keys/token-keys.ts';
import type { StatusListRow } from './status-list.entity.ts';

/** A list is compared with the store again after so long: a change is seen by then, in every process. */
const COMPARED_EVERY_MS = 2_000;
/** A list that does not change is signed again after so long, and has to be after the other. */
const RENEWED_AFTER_MS = 30 * 60_000;
const STALE_AFTER_MS = 50 * 60_000;
/** Lists that a process keeps. One is of 131,072 credentials. */
const MAX_KEPT = 256;
/** Lists whose addresses are answered. */
const MAX_LISTED = 1_000;

export interface SignedList {
  token: string;
  /** SHA-256 of the token, hex. */
  sha256: string;
}

interface KeptList extends SignedList {
  version: number;
  signedAt: number;
}

type State = Pick<StatusListRow, 'version' | 'token_version' | 'signed_at'>;
type Locked = Pick<StatusListRow, 'size' | 'version' | 'token' | 'token_version' | 'signed_at'>;

/**
 * The status lists as they are signed. A list is signed once for a change, by the process that first needs it, and stored; every process
 * has the same bytes in memory, and compares them with the store every two seconds at most.
 */
@Injectable()
export class SignedStatusLists {
  private readonly kept = new Map<string, { list: Promise<KeptList | null>; comparedAt: number }>();
  private readonly signed;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly keys: TokenKeys,
    private readonly logger: Logger,
    metrics: Metrics,
  ) {
    this.signed = metrics.counter('status_lists_signed_total', 'Times that a status list was signed', ['why']);
  }

  /** The address of a list, which credentials name. */
  addressOf(listId: string): string {
    return `${this.config.apiUrl}/v1/wallet/status-list/${typeId('stl', listId)}`;
  }

  get addressOfAll(): string {
    return `${this.config.apiUrl}/v1/wallet/status-lists`;
  }

  /** Oldest first. */
  async addresses(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>('select * from identity.status_list_ids($1)', [MAX_LISTED]);
    return rows.map(({ id }) => this.addressOf(id));
  }

  /** Null: there is no such list. Throws DependencyUnavailable when a change cannot be signed: an old list would hide it. */
  async find(publicId: string): Promise<SignedList | null> {
    const id = uuidOf('stl', publicId);
    if (id === null) return null;
    const kept = this.kept.get(id);
    if (kept && Date.now() - kept.comparedAt < COMPARED_EVERY_MS) return kept.list;
    const entry = { list: this.compared(id, kept?.list), comparedAt: Date.now() };
    this.kept.delete(id); // to the end: the first is the one that was asked for longest ago
    this.kept.set(id, entry);
    const forget = () => this.kept.get(id) === entry && this.kept.delete(id);
    void entry.list.then((list) => list ?? forget(), forget);
    const [oldest] = this.kept.keys();
    if (this.kept.size > MAX_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return entry.list;
  }

  private async compared(id: string, before: Promise<KeptList | null> | undefined): Promise<KeptList | null> {
    const held = await before?.catch(() => null);
    const [state] = await this.database.query<State>('select * from identity.status_list_state($1)', [id]);
    if (state === undefined) return null;
    const age = ageOf(state);
    if (state.version !== state.token_version || age > STALE_AFTER_MS) return this.sign(id);
    if (age > RENEWED_AFTER_MS) return this.sign(id).catch((error: unknown) => this.instead(id, error));
    if (held?.version === state.version && held.signedAt === state.signed_at?.getTime()) return held;
    return this.stored(id);
  }

  private async instead(id: string, error: unknown): Promise<KeptList | null> {
    this.logger.warn({ list_id: id, err: error }, 'a status list could not be signed again, and is still valid');
    return this.stored(id);
  }

  private async stored(id: string): Promise<KeptList | null> {
    const sql = 'select * from identity.signed_status_list($1)';
    const [row] = await this.database.query<Pick<Locked, 'token' | 'token_version' | 'signed_at'>>(sql, [id]);
    return row === undefined ? null : keptOf(row);
  }

  /** One process signs: the others wait for its lock, and find it done. */
  private async sign(id: string): Promise<KeptList> {
    const signer = await this.keys.signer('status_list');
    return this.database.transaction(async (tx) => {
      const [locked] = await tx.query<Locked>('select * from identity.lock_status_list($1)', [id]);
      if (locked === undefined) throw new Error('a status list is never deleted');
      const changed = locked.version !== locked.token_version;
      if (!changed && ageOf(locked) <= RENEWED_AFTER_MS) return keptOf(locked);
      const [entries] = await tx.query<{ packed: Buffer }>('select identity.status_entries($1) as packed', [id]);
      const signedAt = new Date();
      const token = await this.tokenOf(id, locked.size, entries?.packed ?? Buffer.alloc(0), signedAt, signer);
      await tx.query('select identity.keep_signed_status_list($1, $2, $3, $4)', [id, token, locked.version, signedAt]);
      this.signed.inc({ why: changed ? 'change' : 'age' });
      return keptOf({ token, token_version: locked.version, signed_at: signedAt });
    });
  }

  /** `packed`: 4 * index + status of each entry, four bytes. */
  private tokenOf(id: string, size: number, packed: Buffer, signedAt: Date, signer: JwtSigner): Promise<string> {
    const list = StatusList.ofSize(2, size);
    for (let at = 0; at < packed.length; at += 4) {
      const entry = packed.readUInt32BE(at);
      list.set(entry >> 2, entry & 3);
    }
    const times = { issuedAtS: Math.floor(signedAt.getTime() / 1_000), lifetimeS: STATUS_LIST_SECONDS };
    const place = { uri: this.addressOf(id), aggregationUri: this.addressOfAll };
    return issueStatusList({ list, ...place, ...times, ttlS: STATUS_LIST_TTL_SECONDS }, signer);
  }
}

const ageOf = ({ signed_at }: Pick<State, 'signed_at'>): number => Date.now() - (signed_at?.getTime() ?? 0);

function keptOf({ token, token_version, signed_at }: Pick<Locked, 'token' | 'token_version' | 'signed_at'>): KeptList {
  if (token === null || token_version === null || signed_at === null) throw new Error('the list is signed');
  const sha256 = createHash('sha256').update(token).digest('hex');
  return { token, sha256, version: token_version, signedAt: signed_at.getTime() };
}
