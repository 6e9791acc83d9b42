import { AuditLog } from '@constancia/auth';
import { overOwnLimit } from '@constancia/http';
import { uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { DuplicateKey, Forbidden, StateConflict } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../members/members.ts';
import { Member } from '../members/member.entity.ts';
import { MemberLink } from '../members/member-link.entity.ts';
import { MemberSession } from '../members/member-session.entity.ts';
import { OWNER_PROOF_TTL_SECONDS } from '../owner-notices/owner-proof-mail.ts';
import { TenantRow } from '../tenants/tenant.entity.ts';
import { lockTenant, tenantRow } from '../tenants/tenant-row.ts';
import { requireActive } from '../tenants/tenant-standing.ts';
import { OwnerEmailChange } from '../tenants/owner-email-change.entity.ts';

const DAY_MS = 86_400_000;
const CHANGES_PER_DAY = 5;
const OBJECT = { kind: 'owner_email', id: null };
const ENDED = { email: null, proof_hash: null, stop_hash: null };

/**
 * Changes of the owner's address: asked for by an owner who is signed in, and done once the new address is proven. The audit log names who asked and
 * which member it was; neither addresses nor digests of them, which can be guessed.
 */
@Injectable()
export class OwnerEmailChanges {
  constructor(private readonly database: Database) {}

  /** Replaces what was asked for before. Needs lockTenant. Throws Forbidden, DuplicateKey, and RateLimitExceeded. */
  async request(tx: Tx, { principal, origin }: Caller, email: string): Promise<void> {
    if (principal.kind !== 'member' || principal.role !== 'owner') {
      throw new Forbidden(
        'Only a member with the role owner, signed in to the console, may change the address of the owner.',
      );
    }
    const { id: tenantId } = principal.tenant;
    const { owner_email: present } = await tenantRow(tx, tenantId);
    const pending = await tx.manager.findOneBy(OwnerEmailChange, { tenant_id: tenantId });
    if (isSame(email, present)) {
      if (pending === null || pending.email === null) return;
      await tx.manager.update(OwnerEmailChange, { tenant_id: tenantId }, ENDED);
      await AuditLog.record(tx, { principal, action: 'owner_email.change_withdrawn', object: OBJECT, origin });
      return;
    }
    const members = await tx.manager.findBy(Member, { tenant_id: tenantId });
    const memberId = whoseAddressChanges(members, { present, email, askedBy: principal.id });
    const now = new Date();
    const asked = (pending?.asked_at ?? []).filter((at) => at.getTime() > now.getTime() - DAY_MS);
    const [first] = asked;
    if (first !== undefined && asked.length >= CHANGES_PER_DAY) throw tooMany(first);
    const row: OwnerEmailChange = {
      ...{ tenant_id: tenantId, id: uuidv7(), email, member_id: memberId, proof_hash: null, stop_hash: null },
      ...{ requested_at: now, expires_at: new Date(now.getTime() + OWNER_PROOF_TTL_SECONDS * 1000) },
      asked_at: [...asked, now],
    };
    await (pending === null
      ? tx.manager.insert(OwnerEmailChange, row)
      : tx.manager.update(OwnerEmailChange, { tenant_id: tenantId }, row));
    await tx.query('select platform.announce_owner_email($1, $2, $3, $4)', [tenantId, row.id, present, email]);
    await AuditLog.record(tx, { principal, action: 'owner_email.change_requested', object: OBJECT, origin });
  }

  /** Makes the address that this token was mailed to the owner's. Null when the token proves nothing. Throws StateConflict, TenantSuspended. */
  prove(tenantId: string, tokenHash: Buffer): Promise<Date | null> {
    return this.database.tenant(tenantId, async (tx) => {
      await lockTenant(tx, tenantId);
      const change = await waitingChange(tx, { tenant_id: tenantId, proof_hash: tokenHash });
      if (change === null) return null;
      await requireActive(tx, tenantId);
      const verifiedAt = new Date();
      const memberId = await this.moveMember(tx, change);
      const columns = { owner_email: change.email, owner_email_verified_at: verifiedAt };
      await tx.manager.update(TenantRow, { id: tenantId }, columns);
      await tx.manager.update(OwnerEmailChange, { tenant_id: tenantId }, ENDED);
      await tx.query('select platform.end_mailed_tokens($1)', [tenantId]);
      const principal = { tenantId, system: 'owner-email' };
      const after = { member_id: memberId };
      await AuditLog.record(tx, { principal, action: 'owner_email.changed', object: OBJECT, after, origin: null });
      return verifiedAt;
    });
  }

  /** Stops the change that this token was mailed with. False when there is none. */
  stop(tenantId: string, tokenHash: Buffer): Promise<boolean> {
    return this.database.tenant(tenantId, async (tx) => {
      await lockTenant(tx, tenantId);
      const change = await waitingChange(tx, { tenant_id: tenantId, stop_hash: tokenHash });
      if (change === null) return false;
      await tx.manager.update(OwnerEmailChange, { tenant_id: tenantId }, ENDED);
      const principal = { tenantId, system: 'owner-email' };
      await AuditLog.record(tx, { principal, action: 'owner_email.change_stopped', object: OBJECT, origin: null });
      return true;
    });
  }

  /** Their address is how the owner signs in: sessions and links that were mailed to the former one end. The id of the member whose address it is. */
  private async moveMember(tx: Tx, change: WaitingChange): Promise<string> {
    const members = await tx.manager.findBy(Member, { tenant_id: change.tenant_id });
    const holder = members.find(({ email }) => isSame(email, change.email));
    const own = members.find(({ id }) => id === change.member_id);
    if (holder !== undefined && isActiveOwner(holder)) return holder.id;
    if (holder !== undefined || own === undefined || !isActiveOwner(own)) {
      throw new StateConflict('The members have changed since: an owner has to ask for the change again.');
    }
    const { id, tenant_id } = own;
    await tx.manager.update(Member, { id, tenant_id }, { email: change.email });
    await tx.manager.delete(MemberSession, { member_id: id, tenant_id });
    await tx.manager.delete(MemberLink, { member_id: id, tenant_id });
    return id;
  }
}

type WaitingChange = OwnerEmailChange & { email: string };

async function waitingChange(
  tx: Tx,
  where: Pick<OwnerEmailChange, 'tenant_id'> & Partial<Pick<OwnerEmailChange, 'proof_hash' | 'stop_hash'>>,
): Promise<WaitingChange | null> {
  const change = await tx.manager.findOneBy(OwnerEmailChange, where as { tenant_id: string });
  return change?.email != null && change.expires_at > new Date() ? (change as WaitingChange) : null;
}

/** The owner whose own address it is: who asks, and nobody else. Null: another active owner's address becomes the tenant's. */
function whoseAddressChanges(
  members: Member[],
  { present, email, askedBy }: { present: string; email: string; askedBy: string },
): string | null {
  const holder = members.find((member) => isSame(member.email, email));
  if (holder !== undefined) {
    if (isActiveOwner(holder)) return null;
    throw new DuplicateKey('A member who is no active owner has this address: make them an owner first.');
  }
  const own = members.find((member) => isSame(member.email, present));
  if (own?.id === askedBy) return own.id;
  throw new Forbidden('This is the address of another owner: name your own, or that of another active owner.');
}

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
const isActiveOwner = ({ role, status }: Member): boolean => role === 'owner' && status === 'active';

function tooMany(first: Date) {
  return overOwnLimit({
    name: 'owner-email-change',
    limit: CHANGES_PER_DAY,
    windowSeconds: DAY_MS / 1000,
    until: new Date(first.getTime() + DAY_MS),
    detail: `The address of the owner can be changed ${CHANGES_PER_DAY} times in 24 hours`,
  });
}
