import { AuditLog, type AuditedValues, type AuditEntry, changedValues, generateCheckedToken } from '@constancia/auth';
import type { Principal } from '@constancia/http';
import { typeId, uuidv7 } from '@constancia/kernel';
import { isUniqueViolation, type Tx } from '@constancia/persistence';
import { DuplicateKey, NotFound, StateConflict, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { PlatformConfig } from '../../../config.ts';
import { IdentityDatabase } from '../../identity-database.ts';
import type { NewOidcClientBody, OidcClientChangesBody } from './client-body.ts';
import { clientErrors, type CheckedClient, usualAuthMethod } from './client-rules.ts';
import { OidcClient } from './oidc-client.entity.ts';

export const MAX_CLIENTS = 50;

/** What a secret begins with. */
const SECRET_PREFIX = 'ocs_';

/** Who changes something, and from which address. */
interface Change {
  principal: Principal;
  origin: string;
}

/** The relying parties of a tenant. Every change is in its audit log. */
@Injectable()
export class OidcClients {
  private readonly sandbox: boolean;

  constructor(
    { environment }: PlatformConfig,
    private readonly database: IdentityDatabase,
  ) {
    this.sandbox = environment === 'sandbox';
  }

  /** A page, newest first, and one more. */
  list(tenantId: string, page: { before: string | undefined; limit: number }): Promise<OidcClient[]> {
    return this.database.tenant(tenantId, (tx) => listClients(tx, tenantId, page));
  }

  find(tenantId: string, id: string): Promise<OidcClient> {
    return this.database.tenant(tenantId, (tx) => requireClient(tx, tenantId, id));
  }

  /** Throws ValidationError, DuplicateKey for a name that the tenant has given, StateConflict when it has too many clients. */
  async create(
    { principal, origin }: Change,
    body: NewOidcClientBody,
  ): Promise<{ client: OidcClient; secret: string | undefined }> {
    const tenantId = principal.tenant.id;
    const method = body.token_endpoint_auth_method ?? usualAuthMethod(body.type);
    const secret = method === 'client_secret_basic' ? generateCheckedToken(SECRET_PREFIX) : undefined;
    const given = {
      ...{ name: body.name, type: body.type, token_endpoint_auth_method: method },
      ...{ jwks: body.jwks ? { keys: body.jwks.keys } : null, redirect_uris: body.redirect_uris },
      ...{ post_logout_redirect_uris: body.post_logout_redirect_uris ?? [], scopes: body.scopes },
      ...{ dpop_required: body.dpop_required ?? false, par_required: body.par_required ?? false },
    };
    this.require(given);
    const id = uuidv7();
    const client = await this.write(tenantId, async (tx) => {
      await tx.query("select pg_advisory_xact_lock(hashtextextended('oidc-clients:' || $1, 0))", [tenantId]);
      if ((await tx.manager.countBy(OidcClient, { tenant_id: tenantId })) >= MAX_CLIENTS) {
        throw new StateConflict(`A tenant has at most ${MAX_CLIENTS} clients: delete one first.`);
      }
      await tx.manager.insert(OidcClient, { ...given, id, tenant_id: tenantId, secret_sha256: secret?.hash ?? null });
      const created = await requireClient(tx, tenantId, id);
      const entry = { action: 'oidc_client.created', object: clientObject(id), after: auditedClient(created) } as const;
      await AuditLog.record(tx, { principal, ...entry, origin });
      return created;
    });
    return { client, secret: secret?.plaintext };
  }

  /** What is left out stays. Throws as `create` does, and NotFound. */
  change({ principal, origin }: Change, id: string, body: OidcClientChangesBody): Promise<OidcClient> {
    const tenantId = principal.tenant.id;
    return this.write(tenantId, async (tx) => {
      const before = await lockClient(tx, tenantId, id);
      const { jwks, ...rest } = body;
      const given = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
      const changes: Partial<OidcClient> = { ...given, ...(jwks !== undefined && { jwks: { keys: jwks.keys } }) };
      this.require({ ...before, ...changes });
      await tx.manager.update(OidcClient, { id, tenant_id: tenantId }, {
        ...changes,
        updated_at: new Date(),
      } as object);
      const after = await requireClient(tx, tenantId, id);
      const values = changedValues(auditedClient(before), auditedClient(after));
      const entry = { action: 'oidc_client.changed', object: clientObject(id), ...values } as const;
      await AuditLog.record(tx, { principal, ...entry, origin });
      return after;
    });
  }

  /** What was issued to it stops working. Throws NotFound. */
  remove({ principal, origin }: Change, id: string): Promise<void> {
    const tenantId = principal.tenant.id;
    return this.write(tenantId, async (tx) => {
      const before = await lockClient(tx, tenantId, id);
      await tx.manager.delete(OidcClient, { id, tenant_id: tenantId });
      const entry = { action: 'oidc_client.deleted', object: clientObject(id), before: auditedClient(before) } as const;
      await AuditLog.record(tx, { principal, ...entry, origin });
    });
  }

  /** A new secret, which is shown once; the former one counts during the grace. Throws NotFound, StateConflict for a client without one. */
  async rotateSecret({ principal, origin }: Change, id: string, graceSeconds: number) {
    const tenantId = principal.tenant.id;
    const secret = generateCheckedToken(SECRET_PREFIX);
    const rotatedAt = new Date();
    const expiresAt = new Date(rotatedAt.getTime() + graceSeconds * 1_000);
    await this.write(tenantId, async (tx) => {
      const { secret_sha256: former } = await lockClient(tx, tenantId, id);
      if (former === null) throw new StateConflict('This client has no secret: it does not use client_secret_basic.');
      const previous = graceSeconds > 0 ? former : null;
      await tx.manager.update(
        OidcClient,
        { id, tenant_id: tenantId },
        {
          ...{ secret_sha256: secret.hash, previous_secret_sha256: previous, updated_at: rotatedAt },
          previous_secret_expires_at: previous && expiresAt,
        },
      );
      const entry = { action: 'oidc_client.secret_rotated', object: clientObject(id) } as const;
      await AuditLog.record(tx, { principal, ...entry, origin });
    });
    return { secret: secret.plaintext, rotatedAt, expiresAt };
  }

  private require(client: CheckedClient): void {
    const errors = clientErrors(client, { sandbox: this.sandbox });
    if (errors.length > 0) throw new ValidationError(errors);
  }

  private write<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.database.tenant(tenantId, work).catch((error: unknown) => {
      throw isUniqueViolation(error) ? new DuplicateKey('Another client has this name: choose another.') : error;
    });
  }
}

/** A page of a tenant's clients, newest first. */
export function listClients(
  tx: Tx,
  tenantId: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<OidcClient[]> {
  return tx.manager.find(OidcClient, {
    where: { tenant_id: tenantId, ...(before !== undefined && { id: LessThan(before) }) },
    order: { id: 'desc' },
    take: limit,
  });
}

async function requireClient(tx: Tx, tenantId: string, id: string): Promise<OidcClient> {
  const row = await tx.manager.findOneBy(OidcClient, { id, tenant_id: tenantId });
  if (row === null) throw new NotFound('No such client.');
  return row;
}

async function lockClient(tx: Tx, tenantId: string, id: string): Promise<OidcClient> {
  const sql = 'select * from identity.oidc_client where id = $1 and tenant_id = $2 for update';
  const [row] = await tx.query<OidcClient>(sql, [id, tenantId]);
  if (row === undefined) throw new NotFound('No such client.');
  return row;
}

/** A client as the audit log names it. */
const clientObject = (id: string): AuditEntry['object'] => ({ kind: 'oidc_client', id: typeId('oic', id) });

/** What the audit log records of a client. Queries of addresses may hold secrets: they are left out. */
function auditedClient(client: OidcClient): AuditedValues {
  const plain = (addresses: string[]) => addresses.map((address) => address.split('?', 1)[0] as string);
  return {
    ...{ name: client.name, type: client.type, token_endpoint_auth_method: client.token_endpoint_auth_method },
    redirect_uris: plain(client.redirect_uris),
    post_logout_redirect_uris: plain(client.post_logout_redirect_uris),
    ...{ scopes: client.scopes, dpop_required: client.dpop_required, par_required: client.par_required },
    key_ids: client.jwks?.keys.map(({ kid }) => kid ?? null) ?? null,
  };
}
