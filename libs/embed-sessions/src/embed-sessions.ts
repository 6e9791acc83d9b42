import { AuditLog, generateCheckedToken } from '@constancia/auth';
import { EMBED_PAGE, type EmbedExchanged, embedPath } from '@constancia/contracts';
import { type Principal, requireRegistered, type Tenant } from '@constancia/http';
import { typeId, uuidv7 } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { NotFound, referenced, StateConflict, ValidationError } from '@constancia/problem-json';
import { Metrics } from '@constancia/telemetry';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import { type EmbedSessionBody, USUAL_TTL_SECONDS } from './embed-session-body.ts';
import { EmbedKinds } from './embed-kinds.ts';
import type { EmbedSessionRow } from './embed-session-row.ts';
import type { FoundEmbed } from './embed-session-view.ts';
import type { EmbedTargets } from './embed-targets.ts';
import { ACCESS_SECONDS, ACCESS_TOKEN_PREFIX, EMBED_TOKEN_PREFIX, type EmbedBearer } from './embed-tokens.ts';

/** Embed sessions: made, shown and revoked by the tenant, opened by one frame. */
@Injectable()
export class EmbedSessions {
  private readonly exchanges;

  constructor(
    private readonly kinds: EmbedKinds,
    metrics: Metrics,
  ) {
    this.exchanges = metrics.counter('embed_exchanges_total', 'Attempts of frames to open an embed session', [
      'outcome',
    ]);
  }

  /** Answers the session with its address, shown once. Throws ValidationError, UnknownReference, StateConflict. */
  async create(tenant: Tenant, body: EmbedSessionBody): Promise<FoundEmbed & { token: string; embed_url: string }> {
    const targets = this.kinds.asked(body.kind);
    const targetId = await referenced('/target_id', targets.unknown, targets.idOf(tenant.id, body.target_id));
    await requireOrigins(targets, tenant.id, body.allowed_origins);
    const { plaintext: token, hash } = generateCheckedToken(EMBED_TOKEN_PREFIX);
    const id = uuidv7();
    const locale = body.locale ?? null;
    const created = await targets.database.tenant(tenant.id, async (tx) => {
      const { target, columns, endsAt } = await targets.enable(tx, tenant, { id, targetId, locale });
      await tx.manager.insert(targets.row, {
        ...columns,
        id,
        tenant_id: tenant.id,
        kind: body.kind,
        target_id: targetId,
        token_hash: hash,
        allowed_origins: body.allowed_origins,
        locale,
        theme: { ...body.theme },
        external_ref: body.external_ref ?? null,
        metadata: body.metadata ?? {},
        expires_at: () => expiryOf(body.ttl_s ?? USUAL_TTL_SECONDS, endsAt),
      });
      return found(targets, await requireRow(targets, tx, tenant.id, id), target);
    });
    return { ...created, token, embed_url: `${targets.pageAddress}${embedPath(token)}${EMBED_PAGE}` };
  }

  /** Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<FoundEmbed> {
    return this.each((targets) =>
      targets.database.tenant(tenantId, async (tx) => {
        const embed = await rowOf(targets, tx, tenantId, id);
        return embed && found(targets, embed, await targets.read(tx, embed));
      }),
    );
  }

  /** Its token and that of its frame stop working at once. Changes nothing of one that was revoked. */
  async revoke(principal: Principal, id: string, origin: string): Promise<void> {
    const tenantId = principal.tenant.id;
    await this.each((targets) =>
      targets.database.tenant(tenantId, async (tx) => {
        const valid = { id, tenant_id: tenantId, revoked_at: IsNull() };
        const { affected } = await tx.manager.update(targets.row, valid, { revoked_at: () => 'now()' });
        if (affected !== 1) return rowOf(targets, tx, tenantId, id); // revoked before, or not the tenant's
        const object = { kind: 'embed_session', id: typeId('ems', id) };
        await AuditLog.record(tx, { principal, action: 'embed_session.revoked', object, origin });
        return object;
      }),
    );
  }

  /**
   * Gives the session to a frame, which has what it shows from now on. Once: throws StateConflict for every other frame, and
   * ValidationError for a page of another origin.
   */
  async exchange(bearer: EmbedBearer, parentOrigin: string): Promise<EmbedExchanged> {
    const { embedId: id, tenantId, expiresAt } = bearer;
    const targets = this.kinds.of(bearer.kind);
    if (!bearer.allowedOrigins.includes(parentOrigin)) {
      this.exchanges.inc({ outcome: 'origin_not_allowed' });
      const detail = 'This origin may not hold the frame.';
      throw new ValidationError([{ pointer: '/parent_origin', code: 'not_allowed', detail }]);
    }
    const { plaintext, hash } = generateCheckedToken(ACCESS_TOKEN_PREFIX);
    await targets.database.tenant(tenantId, async (tx) => {
      await targets.open(tx, bearer); // first: everybody locks what is shown before its embed sessions
      const opened = await tx.manager
        .createQueryBuilder()
        .update(targets.row)
        .set({
          exchanged_at: () => 'now()',
          access_used_at: () => 'now()',
          access_hash: hash,
          parent_origin: parentOrigin,
        })
        .where('id = :id and tenant_id = :tenantId', { id, tenantId })
        .andWhere('exchanged_at is null and revoked_at is null and expires_at > now()')
        .execute();
      if (opened.affected !== 1) throw await this.refusal(targets, tx, bearer);
    });
    this.exchanges.inc({ outcome: 'opened' });
    const until = Math.min(Date.now() + ACCESS_SECONDS * 1_000, expiresAt.getTime());
    return { id: typeId('ems', id), access_token: plaintext, expires_at: new Date(until).toISOString() };
  }

  /** Why a frame does not get the session: another has it, or its time ended since the token was found. */
  private async refusal(targets: EmbedTargets, tx: Tx, { embedId, tenantId }: EmbedBearer): Promise<Error> {
    const { exchanged_at } = await requireRow(targets, tx, tenantId, embedId);
    if (exchanged_at === null) return new NotFound();
    this.exchanges.inc({ outcome: 'already_open' });
    return new StateConflict('Another frame has opened this embed session: create a new one.');
  }

  /** What the first kind answers that has something. Throws NotFound when none does. */
  private async each<Found>(look: (targets: EmbedTargets) => Promise<Found | null>): Promise<Found> {
    for (const targets of this.kinds.all) {
      const answer = await look(targets);
      if (answer !== null) return answer;
    }
    throw new NotFound();
  }
}

/** As SQL. A session ends with what it shows. */
function expiryOf(seconds: number, endsAt: Date | undefined): string {
  const expiry = `now() + make_interval(secs => ${seconds})`;
  return endsAt === undefined ? expiry : `least(${expiry}, '${endsAt.toISOString()}'::timestamptz)`;
}

async function requireOrigins(
  { database, config }: EmbedTargets,
  tenantId: string,
  origins: readonly string[],
): Promise<void> {
  const [row] = await database.query<{ origins: string[] | null }>('select platform_v1.embed_origins($1) as origins', [
    tenantId,
  ]);
  requireRegistered(
    origins.map((origin, at) => ({ pointer: `/allowed_origins/${at}`, origin })),
    {
      registered: row?.origins ?? [],
      sandbox: config.environment === 'sandbox',
      registeredBy: 'PUT /tenants/{id}/embed-origins',
    },
  );
}

const found = (targets: EmbedTargets, embed: EmbedSessionRow, target: unknown): FoundEmbed => ({
  embed,
  targetId: typeId(targets.idPrefix, embed.target_id),
  progress: targets.progressOf(target, embed),
});

const rowOf = ({ row }: EmbedTargets, tx: Tx, tenantId: string, id: string): Promise<EmbedSessionRow | null> =>
  tx.manager.findOneBy(row, { id, tenant_id: tenantId });

async function requireRow(targets: EmbedTargets, tx: Tx, tenantId: string, id: string): Promise<EmbedSessionRow> {
  const row = await rowOf(targets, tx, tenantId, id);
  if (!row) throw new NotFound();
  return row;
}
