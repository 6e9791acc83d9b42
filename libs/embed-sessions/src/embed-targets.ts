import type { EmbedKind, PersonLocale } from '@constancia/contracts';
import type { HttpConfig, PageFiles, Tenant } from '@constancia/http';
import type { IdPrefix } from '@constancia/kernel';
import type { Database, Tx } from '@constancia/persistence';
import type { EmbedSessionRow } from './embed-session-row.ts';
import type { EmbedBearer } from './embed-tokens.ts';

/** How far the person is with what an embed session shows. */
export interface EmbedProgress {
  /** What is due; null when it is over. */
  step: string | null;
  /** A step was taken. */
  begun: boolean;
  /** How it ended, for the frame; null: it has not. revoked: the frame lost it, whatever becomes of it. */
  end: 'completed' | 'failed' | 'expired' | 'revoked' | null;
}

/** What a new embed session shows, and what its row says of that beside the common columns. */
export interface EnabledTarget<Target> {
  target: Target;
  columns: object;
  /** The embed session is over by then. */
  endsAt?: Date;
}

/** What the embed sessions of a kind show. The app provides them (EmbedKinds); `Target` is what is read to say how far the person is. */
export abstract class EmbedTargets<Target = unknown> {
  abstract readonly kind: EmbedKind;
  abstract readonly config: HttpConfig;
  abstract readonly database: Database;
  /** Of the table of embed sessions and its functions (embedSessionSchema). */
  abstract readonly schema: string;
  /** Of their names there (embedNames). */
  readonly prefix: string = '';
  abstract readonly row: new () => EmbedSessionRow;
  /** Of the ids of what is shown. */
  abstract readonly idPrefix: IdPrefix;
  /** Public address of the host that serves the framed page, without a slash at the end. */
  abstract readonly pageAddress: string;
  /** Where the framed page and its files are. */
  abstract readonly files: PageFiles;
  /** The framed page. */
  readonly page: string = 'index.html';
  /** A sentence, for what a tenant does not have. */
  abstract readonly unknown: string;

  /** The UUID of what an id in a body names. Throws NotFound, for another tenant's too. */
  abstract idOf(tenantId: string, id: string): Promise<string>;

  /** Locks what is to be shown, in the transaction that creates the session. Throws StateConflict when there is nothing to show. */
  abstract enable(
    tx: Tx,
    tenant: Tenant,
    embed: { id: string; targetId: string; locale: PersonLocale | null },
  ): Promise<EnabledTarget<Target>>;

  /** How what is shown stands. */
  abstract read(tx: Tx, row: EmbedSessionRow): Promise<Target>;

  /** A frame gets the session: what that changes, before the row of the embed session is changed. */
  abstract open(tx: Tx, bearer: EmbedBearer): Promise<void>;

  abstract progressOf(target: Target, row: EmbedSessionRow): EmbedProgress;
}
