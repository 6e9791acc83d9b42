import { createHash } from 'node:crypto';
import { SecretBox } from '@constancia/kernel';
import { DatabaseUnavailableError } from '@constancia/persistence';
import { DependencyUnavailable } from '@constancia/problem-json';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import { Injectable } from '@nestjs/common';
import { IdentityDatabase } from '../../identity-database.ts';
import { oidcRecordContext } from './oidc-record-context.ts';
import type { OidcRecord } from './oidc-record.entity.ts';

/** What a record is stored by, since ids are credentials. */
export const recordHash = (id: string): Buffer => createHash('sha256').update(id).digest();

/** Of what proves that it was used for the first time. */
const REPLAY_DETECTION = 'ReplayDetection';
const GRANT = 'Grant';
const PUSHED_REQUEST = 'PushedAuthorizationRequest';

/** The store is unavailable: 503 at every endpoint, as OAuth writes it. */
export class StoreUnavailable extends errors.OIDCProviderError {
  readonly error_description = 'The service is unavailable at present: try again.';
  /** The library names what is below 500 alone: a relying party would read server_error, which nobody tries again. */
  override expose = true;

  constructor() {
    super(503, 'temporarily_unavailable');
  }
}

/** Rethrows that the store or KMS is unavailable as StoreUnavailable, and everything else as it is. */
export function storeUnavailable(error: unknown): never {
  const away = error instanceof DatabaseUnavailableError || error instanceof DependencyUnavailable;
  throw away ? new StoreUnavailable() : error;
}

/** The other way, for what is answered as a problem. */
export function asProblem(error: unknown): never {
  throw error instanceof StoreUnavailable ? new DatabaseUnavailableError() : error;
}

/** What the OpenID provider remembers, in the store: a sealed payload by the hash of its id. */
@Injectable()
export class OidcRecords {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly secrets: SecretBox,
  ) {}

  /** The adapter of one of the provider's models. */
  adapter(model: string): Adapter {
    return {
      upsert: (id, payload, seconds) => this.put(model, id, payload, seconds),
      find: (id) => this.find('identity.oidc_record', model, recordHash(id)),
      findByUid: (uid) => this.find('identity.oidc_record_by_uid', model, recordHash(uid)),
      consume: (id) => this.consume(model, id),
      destroy: (id) => this.run('select identity.delete_oidc_record($1, $2)', [model, recordHash(id)]),
      revokeByGrantId: (id) => this.run('select identity.revoke_oidc_grant($1, $2)', [model, recordHash(id)]),
    };
  }

  /** The grant of this hash, if it has neither expired nor ended. */
  async grant(hash: Buffer): Promise<AdapterPayload | undefined> {
    const found = await this.find('identity.oidc_record', GRANT, hash);
    return found !== undefined && Number(found.exp) > Date.now() / 1_000 ? found : undefined;
  }

  private async put(model: string, id: string, payload: AdapterPayload, seconds: number): Promise<void> {
    const idHash = recordHash(id);
    const sealed = this.secrets.seal(JSON.stringify(payload), oidcRecordContext(model, idHash));
    if (model === REPLAY_DETECTION) return this.add(model, idHash, sealed, seconds);
    const { uid, grantId } = payload;
    const hashes = [uid, grantId].map((value) => (value === undefined ? null : recordHash(value)));
    await this.run('select identity.put_oidc_record($1, $2, $3, $4, $5, $6)', [
      ...[model, idHash, ...hashes, sealed, seconds],
    ]);
  }

  /** The provider has looked for it before; of those that looked at the same time, one goes on. */
  private async add(model: string, idHash: Buffer, sealed: Buffer, seconds: number): Promise<void> {
    const [row] = await this.run<{ added: boolean }>('select identity.add_oidc_record($1, $2, $3, $4) as added', [
      ...[model, idHash, sealed, seconds],
    ]);
    if (!row?.added) throw new errors.InvalidRequest('this proof was used before: sign another one');
  }

  private async find(by: string, model: string, hash: Buffer): Promise<AdapterPayload | undefined> {
    const [row] = await this.run<OidcRecord>(`select * from ${by}($1, $2)`, [model, hash]);
    if (row === undefined) return undefined;
    const opened = this.secrets.open(row.sealed, oidcRecordContext(model, row.id_hash)).toString('utf8');
    const consumed = row.consumed_at === null ? {} : { consumed: Math.floor(row.consumed_at.getTime() / 1_000) };
    return { ...(JSON.parse(opened) as AdapterPayload), ...consumed };
  }

  /** For one caller alone, however many come at once; the others are refused. */
  private async consume(model: string, id: string): Promise<void> {
    const [row] = await this.run<{ consumed: boolean }>('select identity.consume_oidc_record($1, $2) as consumed', [
      ...[model, recordHash(id)],
    ]);
    if (row?.consumed) return;
    if (model === PUSHED_REQUEST) throw new errors.InvalidRequestUri('request_uri was used before');
    throw new errors.InvalidGrant('used before');
  }

  private run<T extends object>(sql: string, params: unknown[]): Promise<T[]> {
    return this.database.query<T>(sql, params).catch(storeUnavailable);
  }
}
