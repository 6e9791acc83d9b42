import { hashSecret, isCheckedToken } from '@constancia/auth';
import type { EmbedKind, PersonLocale, TenantStanding } from '@constancia/contracts';
import { bearerToken, type CredentialHolder, type PathCredentials, type PathRequest } from '@constancia/http';
import type { Database } from '@constancia/persistence';
import type { EmbedSessionRow } from './embed-session-row.ts';
import { embedNames } from './schema.ts';

/** The kind of credential that an embed token is (PathCredential), whatever its session shows. */
export const EMBED_CREDENTIAL = 'embed';
/** The same of a session of one kind: what its frame calls finds no other. */
export const framedCredential = (kind: EmbedKind): string => `${EMBED_CREDENTIAL}-${kind}`;
/** What an embed token begins with: the one in the address of the frame. */
export const EMBED_TOKEN_PREFIX = 'emt_';
/** What the token begins with that the one frame gets which opens the session. */
export const ACCESS_TOKEN_PREFIX = 'ema_';
/** How long an access token works after its last use. */
export const ACCESS_SECONDS = 600;
/** A use within this time is not written down again. */
const MARK_USE_AFTER_SECONDS = 30;

/** Whose an embed token is. Ids are UUIDs. */
export interface EmbedBearer extends CredentialHolder {
  kind: EmbedKind;
  embedId: string;
  targetId: string;
  allowedOrigins: string[];
  /** Origin of the page that holds the frame; null before a frame opened the session. */
  parentOrigin: string | null;
  locale: PersonLocale | null;
  expiresAt: Date;
  /** Whether the request has the access token of the frame. */
  hasAccess: boolean;
}

/** As the store answers it (embedSessionSchema). */
export interface ResolvedEmbed {
  embed_id: string;
  tenant_id: string;
  target_id: string;
  allowed_origins: string[];
  parent_origin: string | null;
  locale: PersonLocale | null;
  expires_at: Date;
  has_access: boolean;
  idle_seconds: number | null;
  standing: TenantStanding;
}

interface EmbedStore {
  kind: EmbedKind;
  database: Database;
  schema: string;
  /** Of embedNames. */
  prefix?: string;
  row: new () => EmbedSessionRow;
}

/** Finds embed sessions of a kind by the token in a path, with the access token of the request. */
export abstract class EmbedTokens<Resolved extends ResolvedEmbed = ResolvedEmbed> implements PathCredentials {
  protected constructor(private readonly store: EmbedStore) {}

  get kind(): EmbedKind {
    return this.store.kind;
  }

  /** Null when the token is unknown, expired or revoked, or what it shows is no longer shown. */
  async find(token: string, request: PathRequest): Promise<EmbedBearer | null> {
    if (!isCheckedToken(EMBED_TOKEN_PREFIX, token)) return null;
    const { database, schema, prefix } = this.store;
    const { resolve } = embedNames(schema, prefix);
    const access = accessToken(request.headers);
    const [row] = await database.query<Resolved>(
      `select e.*, platform_v1.tenant_standing(e.tenant_id) as standing from ${resolve}($1, $2, $3) e`,
      [hashSecret(token), access === null ? null : hashSecret(access), ACCESS_SECONDS],
    );
    if (!row) return null;
    const bearer = await this.bearerOf(embedBearer(this.kind, row), row, request);
    if (bearer !== null && row.has_access && (row.idle_seconds ?? 0) > MARK_USE_AFTER_SECONDS) await this.markUse(row);
    return bearer;
  }

  /** The bearer with what the routes of the app need; null when what it shows is no longer shown. */
  protected abstract bearerOf(
    embed: EmbedBearer,
    resolved: Resolved,
    request: PathRequest,
  ): EmbedBearer | null | Promise<EmbedBearer | null>;

  private async markUse({ embed_id: id, tenant_id }: ResolvedEmbed): Promise<void> {
    const { database, row } = this.store;
    await database.tenant(tenant_id, (tx) =>
      tx.manager.update(row, { id, tenant_id }, { access_used_at: () => 'now()' }),
    );
  }
}

function embedBearer(kind: EmbedKind, row: ResolvedEmbed): EmbedBearer {
  return {
    kind,
    embedId: row.embed_id,
    tenantId: row.tenant_id,
    targetId: row.target_id,
    standing: row.standing,
    allowedOrigins: row.allowed_origins,
    parentOrigin: row.parent_origin,
    locale: row.locale,
    expiresAt: row.expires_at,
    hasAccess: row.has_access,
  };
}

/** The access token of a request; null: none, or a malformed one. */
export function accessToken(headers: PathRequest['headers']): string | null {
  const token = bearerToken(headers, ACCESS_TOKEN_PREFIX);
  return token !== undefined && isCheckedToken(ACCESS_TOKEN_PREFIX, token) ? token : null;
}

/** The look-ups of an app's embed tokens, by the kind of the credential (HttpOptions.pathCredentials). */
export function embedCredentials(...kinds: (PathCredentials & { kind: EmbedKind })[]): Record<string, PathCredentials> {
  const find: PathCredentials['find'] = async (token, request) => {
    for (const tokens of kinds) {
      const found = await tokens.find(token, request);
      if (found !== null) return found;
    }
    return null;
  };
  const each = kinds.map((tokens) => [framedCredential(tokens.kind), tokens] as const);
  return { [EMBED_CREDENTIAL]: { find }, ...Object.fromEntries(each) };
}
