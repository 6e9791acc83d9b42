import { AuditLog } from '@constancia/auth';
import type { Principal } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { Forbidden, NotFound, StateConflict, ValidationError } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { IsNull } from 'typeorm';
import type { Caller } from '../members/members.ts';
import { OwnerNotices } from '../owner-notices/owner-notices.ts';
import { TenantClosing } from '../tenants/tenant-closing.entity.ts';
import { lockTenant, tenantRow } from '../tenants/tenant-row.ts';

/** How long an owner can reconsider. */
export const RECONSIDERATION_DAYS = 30;
const DAY_MS = 86_400_000;
const OBJECT = { kind: 'tenant', id: null };

export interface ClosingRequest {
  confirmName: string;
  reason: string | null;
}

/**
 * The closing of a tenant, until its end: asked for and reconsidered by owners, under the lock of the tenant's row, so that of requests,
 * reconsiderations and the end at once each sees what the one before it left.
 */
@Injectable()
export class Closings {
  constructor(
    private readonly database: Database,
    private readonly notices: OwnerNotices,
  ) {}

  /** Throws NotFound when nothing is being closed. */
  of(tenantId: string): Promise<TenantClosing> {
    return this.database.tenant(tenantId, (tx) => openClosing(tx, tenantId));
  }

  /** Throws Forbidden, ValidationError (another name), StateConflict (it is being closed already). */
  async request({ principal, origin }: Caller, { confirmName, reason }: ClosingRequest): Promise<TenantClosing> {
    requireOwner(principal);
    const tenantId = principal.tenant.id;
    const requestedAt = new Date();
    const closing: TenantClosing = {
      tenant_id: tenantId,
      requested_at: requestedAt,
      requested_by: principal.id,
      requested_by_name: principal.name,
      reason,
      closes_at: new Date(requestedAt.getTime() + RECONSIDERATION_DAYS * DAY_MS),
      reminded_at: null,
      closed_at: null,
      credits_left: null,
      credits_held: null,
    };
    await this.database.tenant(tenantId, async (tx) => {
      await lockTenant(tx, tenantId);
      requireName((await tenantRow(tx, tenantId)).display_name, confirmName);
      const before = await tx.manager.findOneBy(TenantClosing, { tenant_id: tenantId });
      if (before !== null) throw new StateConflict('The tenant is being closed already: GET /tenants/{id}/closing.');
      await tx.manager.insert(TenantClosing, closing);
      await notify(tx, 'tenant_closing_requested', closing, principal);
      const after = { closes_at: closing.closes_at.toISOString() };
      await AuditLog.record(tx, { principal, action: 'tenant.closing_requested', object: OBJECT, after, origin });
    });
    this.notices.wake();
    return closing;
  }

  /** Everything is as before. Throws Forbidden, NotFound when nothing is being closed. */
  async reconsider({ principal, origin }: Caller): Promise<void> {
    requireOwner(principal);
    const tenantId = principal.tenant.id;
    await this.database.tenant(tenantId, async (tx) => {
      await lockTenant(tx, tenantId);
      const closing = await openClosing(tx, tenantId);
      await tx.manager.delete(TenantClosing, { tenant_id: tenantId });
      await notify(tx, 'tenant_closing_reconsidered', closing, principal);
      const before = { closes_at: closing.closes_at.toISOString() };
      await AuditLog.record(tx, { principal, action: 'tenant.closing_reconsidered', object: OBJECT, before, origin });
    });
    this.notices.wake();
  }
}

async function openClosing(tx: Tx, tenantId: string): Promise<TenantClosing> {
  const closing = await tx.manager.findOneBy(TenantClosing, { tenant_id: tenantId, closed_at: IsNull() });
  if (closing === null) throw new NotFound('The tenant is not being closed.');
  return closing;
}

function requireOwner(principal: Principal): void {
  if (principal.kind === 'member' && principal.role === 'owner') return;
  throw new Forbidden('Only a member with the role owner, signed in to the console, may close the tenant.');
}

function requireName(name: string, confirmed: string): void {
  if (confirmed.normalize('NFC') === name.normalize('NFC')) return;
  const detail = 'This is not the name of the tenant: send its display_name.';
  throw new ValidationError([{ pointer: '/confirm_name', code: 'not_the_name', detail }]);
}

async function notify(tx: Tx, kind: string, closing: TenantClosing, { name }: Principal): Promise<void> {
  const detail = { closes_at: closing.closes_at.toISOString(), by: name };
  await tx.query('select platform.notify_owners($1, $2, $3)', [closing.tenant_id, kind, detail]);
}
