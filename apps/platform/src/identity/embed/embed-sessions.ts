import { AuditLog, generateCheckedToken } from '@constancia/auth';
import { EMBED_PAGE, type EmbedExchanged, embedPath } from '@constancia/contracts';
import { pathUuid, type Principal, type Tenant } from '@constancia/http';
import { typeId, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { NotFound, referenced, StateConflict, ValidationError } from '@constancia/problem-json';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { PlatformConfig } from '../../config.ts';
import { EmbedOrigins } from '../../embed-origins/embed-origins.ts';
import { CaptureSessions } from '../capture/capture-sessions.ts';
import { CaptureTokens } from '../hosted/capture-tokens.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { lockSession, sessionRow } from '../sessions/session-changes.ts';
import { currentStep } from '../sessions/session-row.ts';
import { Sessions } from '../sessions/sessions.ts';
import { EmbedSession } from './embed-session.entity.ts';
import { type EmbedSessionBody, USUAL_TTL_SECONDS } from './embed-session-body.ts';
import type { FoundEmbed } from './embed-session-view.ts';
import { ACCESS_SECONDS, ACCESS_TOKEN_PREFIX, EMBED_TOKEN_PREFIX, type EmbedBearer } from './embed-tokens.ts';

const NO_TARGET = 'There is no flow session with this id.';

/** Embed sessions: made, shown and revoked by the tenant, opened by one frame. */
@Injectable()
export class EmbedSessions {
  private readonly exchanges;

  constructor(
    private readonly config: PlatformConfig,
    private readonly database: IdentityDatabase,
    private readonly sessions: Sessions,
    private readonly captures: CaptureSessions,
    private readonly tokens: CaptureTokens,
    private readonly origins: EmbedOrigins,
    metrics: Metrics,
  ) {
    this.exchanges = metrics.counter('embed_exchanges_total', 'Attempts of frames to open an embed session', [
      'outcome',
    ]);
  }

  /** Answers the session with its address, shown once. Throws ValidationError, UnknownReference, StateConflict. */
  async create(tenant: Tenant, body: EmbedSessionBody): Promise<FoundEmbed & { token: string; embed_url: string }> {
    const sessionId = await referenced('/target_id', NO_TARGET, this.sessionIdOf(tenant.id, body.target_id));
    const given = body.allowed_origins.map((origin, at) => ({ pointer: `/allowed_origins/${at}`, origin }));
    await this.origins.require(tenant.id, given);
    const { plaintext: token, hash } = generateCheckedToken(EMBED_TOKEN_PREFIX);
    const [id, deviceId] = [uuidv7(), uuidv7()];
    const found = await this.database.tenant(tenant.id, async (tx) => {
      const session = await lockSession(tx, tenant.id, sessionId);
      if (!currentStep(session))
        throw new StateConflict(`The flow session is ${session.status}: there is nothing to show.`);
      const capture = {
        session_id: sessionId,
        tenant_id: tenant.id,
        tenant_name: tenant.displayName,
        return_url: null,
      };
      await this.tokens.enable(tx, { ...capture, locale: body.locale ?? 'es-CO' }, deviceId);
      await tx.manager.insert(EmbedSession, {
        id,
        tenant_id: tenant.id,
        kind: body.kind,
        session_id: sessionId,
        device_id: deviceId,
        token_hash: hash,
        allowed_origins: body.allowed_origins,
        locale: body.locale ?? null,
        theme: { ...body.theme },
        external_ref: body.external_ref ?? null,
        metadata: body.metadata ?? {},
        expires_at: () => `now() + make_interval(secs => ${body.ttl_s ?? USUAL_TTL_SECONDS})`,
      });
      return { embed: await this.row(tx, tenant.id, id), session };
    });
    return { ...found, token, embed_url: `${this.config.personAddress}${embedPath(token)}${EMBED_PAGE}` };
  }

  /** Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<FoundEmbed> {
    return this.database.tenant(tenantId, async (tx) => {
      const embed = await this.row(tx, tenantId, id);
      return { embed, session: await sessionRow(tx, tenantId, embed.session_id) };
    });
  }

  /** Its token and that of its frame stop working at once. Changes nothing of one that was revoked. */
  async revoke(principal: Principal, id: string, origin: string): Promise<void> {
    const tenantId = principal.tenant.id;
    await this.database.tenant(tenantId, async (tx) => {
      const valid = { id, tenant_id: tenantId, revoked_at: IsNull() };
      const { affected } = await tx.manager.update(EmbedSession, valid, { revoked_at: () => 'now()' });
      if (affected !== 1) {
        await this.row(tx, tenantId, id); // revoked before, or not the tenant's
        return;
      }
      const object = { kind: 'embed_session', id: typeId('ems', id) };
      await AuditLog.record(tx, { principal, action: 'embed_session.revoked', object, origin });
    });
  }

  /**
   * Gives the session to a frame, which has the flow session from now on. Once: throws StateConflict for every other frame, and
   * ValidationError for a page of another origin.
   */
  async exchange(bearer: EmbedBearer, parentOrigin: string): Promise<EmbedExchanged> {
    const { embedId: id, tenantId, expiresAt } = bearer;
    if (!bearer.allowedOrigins.includes(parentOrigin)) {
      this.exchanges.inc({ outcome: 'origin_not_allowed' });
      const detail = 'This origin may not hold the frame.';
      throw new ValidationError([{ pointer: '/parent_origin', code: 'not_allowed', detail }]);
    }
    const { plaintext, hash } = generateCheckedToken(ACCESS_TOKEN_PREFIX);
    await this.database.tenant(tenantId, async (tx) => {
      await this.captures.claimWithin(tx, bearer); // first: everybody takes the flow session's rows before those of its embed sessions
      const opened = await tx.query(
        `update identity.embed_session
            set exchanged_at = now(), access_used_at = now(), access_hash = $3, parent_origin = $4
          where id = $1 and tenant_id = $2 and exchanged_at is null and revoked_at is null and expires_at > now()
        returning 1`,
        [id, tenantId, hash, parentOrigin],
      );
      if (opened.length === 0) throw await this.refusal(tx, bearer);
    });
    this.exchanges.inc({ outcome: 'opened' });
    const until = Math.min(Date.now() + ACCESS_SECONDS * 1_000, expiresAt.getTime());
    return { id: typeId('ems', id), access_token: plaintext, expires_at: new Date(until).toISOString() };
  }

  /** Why a frame does not get the session: another has it, or its time ended since the token was found. */
  private async refusal(tx: Tx, { embedId, tenantId }: EmbedBearer): Promise<Error> {
    const { exchanged_at } = await this.row(tx, tenantId, embedId);
    if (exchanged_at === null) return new NotFound();
    this.exchanges.inc({ outcome: 'already_open' });
    return new StateConflict('Another frame has opened this embed session: create a new one.');
  }

  /** The UUID of a flow session, which is expired first when its time is over. Throws NotFound. */
  private async sessionIdOf(tenantId: string, target: string): Promise<string> {
    const sessionId = pathUuid('fls', target);
    await this.sessions.expire(tenantId, sessionId);
    return sessionId;
  }

  private async row(tx: Tx, tenantId: string, id: string): Promise<EmbedSession> {
    const row = await tx.manager.findOneBy(EmbedSession, { id, tenant_id: tenantId });
    if (!row) throw new NotFound();
    return row;
  }
}
