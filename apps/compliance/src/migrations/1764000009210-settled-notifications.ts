import { allowChainTypes } from '@constancia/persistence';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { TIMELINE } from '../case-records/case-chains.ts';

/** What members were notified of is settled when it is decided, published or withdrawn (ADR 0254). */
export class ComplianceSettledNotifications1764000009210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const withdrawals = allowChainTypes(TIMELINE, { types: ['resolution_withdrawn'] });
    for (const sql of [withdrawals, SETTLE, OF_CASES, OF_VALIDATIONS, RIGHTS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/** The platform asks whose transaction it is, and sweeps are of no tenant. */
const SETTLE = `
  create function compliance.settle_notifications(p_tenant_id uuid, p_ref_id uuid, p_kinds text[]) returns void
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  declare
    v_tenant constant text := coalesce(current_setting('app.tenant_id', true), '');
  begin
    perform set_config('app.tenant_id', p_tenant_id::text, true);
    perform platform_v1.settle_notifications(p_tenant_id, p_ref_id, p_kinds);
    perform set_config('app.tenant_id', v_tenant, true);
  end $$`;

/** A proposal ends with whatever takes the case out of pending_approval; everything else with the case, or its erasure. */
const OF_CASES = `
  create function compliance.settle_case_notifications() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    perform settle_notifications(new.tenant_id, new.id,
      case when new.status = 'resolved' or new.erasure_id is not null
           then '{case_assigned,case_escalated,case_awaiting_approval,case_due_soon,case_overdue}'::text[]
           else '{case_awaiting_approval}' end);
    return null;
  end $$;
  create trigger review_case_settles after update on compliance.review_case
    for each row when (
      old.status = 'pending_approval' and new.status <> 'pending_approval'
      or old.status <> 'resolved' and new.status = 'resolved'
      or old.erasure_id is null and new.erasure_id is not null)
    execute function compliance.settle_case_notifications()`;

/** A draft waits for a second person while it has a first publication. */
const OF_VALIDATIONS = `
  create function compliance.settle_validation_notifications() returns trigger
  language plpgsql security definer set search_path = compliance, pg_temp as $$
  begin
    perform settle_notifications(old.tenant_id, old.id, '{rules_awaiting_publication}');
    return null;
  end $$;
  create trigger validation_settles after update of publication on compliance.validation
    for each row when (old.publication is not null and new.publication is null)
    execute function compliance.settle_validation_notifications();
  create trigger validation_settles_deleted after delete on compliance.validation
    for each row when (old.publication is not null)
    execute function compliance.settle_validation_notifications()`;

const RIGHTS = `
  revoke all on function compliance.settle_notifications, compliance.settle_case_notifications,
                         compliance.settle_validation_notifications from public`;
