/** What the end of a tenant is in this schema: one function, in the transaction that calls it (ADR 0190). */

/**
 * Closes a tenant whose time to reconsider is over: nobody can act for it any more, and no secret of it is left. No row when another
 * process holds it, when it is suspended, reconsidered or closed already. The retention is that of p_retention; the legal hold stays as the
 * tenant declared it. Answers the credits that are left.
 */
const CLOSE_TENANT = `
  create function platform.close_tenant(p_tenant_id uuid, p_retention jsonb) returns table (credits_left bigint, credits_held bigint)
  language plpgsql volatile security definer set search_path = platform, pg_temp as $$
  declare
    v_now constant timestamptz := date_trunc('milliseconds', clock_timestamp());
    v_closing tenant_closing;
  begin
    perform require_tenant(p_tenant_id);
    perform 1 from tenant t where t.id = p_tenant_id and t.suspended_at is null for update skip locked;
    if not found then
      return;
    end if;
    update tenant_closing c
       set closed_at = v_now,
           credits_left = coalesce((select a.available from credit_account a where a.tenant_id = p_tenant_id), 0),
           credits_held = coalesce((select a.held from credit_account a where a.tenant_id = p_tenant_id), 0)
     where c.tenant_id = p_tenant_id and c.closed_at is null and c.closes_at <= v_now
    returning * into v_closing;
    if not found then
      return;
    end if;
    perform notify_owners(p_tenant_id, 'tenant_closed', jsonb_build_object(
      'closes_at', v_closing.closes_at, 'credits_left', v_closing.credits_left, 'credits_held', v_closing.credits_held));
    update api_key k set status = 'revoked', expires_at = least(k.expires_at, v_now)
     where k.tenant_id = p_tenant_id and k.status <> 'revoked';
    delete from sso s where s.tenant_id = p_tenant_id;
    delete from member m where m.tenant_id = p_tenant_id;
    delete from sign_in_settings s where s.tenant_id = p_tenant_id;
    delete from recovery_request r where r.tenant_id = p_tenant_id;
    delete from recovery_token r where r.tenant_id = p_tenant_id;
    delete from owner_proof o where o.tenant_id = p_tenant_id;
    delete from owner_email_change o where o.tenant_id = p_tenant_id;
    delete from webhook_endpoint e where e.tenant_id = p_tenant_id;
    delete from embed_origins o where o.tenant_id = p_tenant_id;
    delete from return_origins o where o.tenant_id = p_tenant_id;
    delete from tenant_logo l where l.tenant_id = p_tenant_id;
    delete from idempotency_key k where k.tenant_id = p_tenant_id;
    update tenant t
       set webhook_secret = '', previous_webhook_secret = null, previous_webhook_secret_expires_at = null
     where t.id = p_tenant_id;
    insert into tenant_retention as r (tenant_id, identity_image_days, identity_session_days, compliance_blocked_days,
                                       signing_unsealed_envelope_days)
    select p_tenant_id, p.identity_image_days, p.identity_session_days, p.compliance_blocked_days, p.signing_unsealed_envelope_days
      from jsonb_populate_record(null::tenant_retention, p_retention) p
    on conflict (tenant_id) do update
       set identity_image_days = excluded.identity_image_days, identity_session_days = excluded.identity_session_days,
           compliance_blocked_days = excluded.compliance_blocked_days,
           signing_unsealed_envelope_days = excluded.signing_unsealed_envelope_days, updated_at = v_now;
    delete from owner_notice n where n.tenant_id = p_tenant_id and n.kind <> 'tenant_closed'; -- also those that the statements above caused
    return query select v_closing.credits_left, v_closing.credits_held;
  end $$`;

/** The claim of a mail that would let somebody in: none is sent for a closed tenant. The request looks the same from outside. */
const NO_RECOVERY = `
  create function platform.drop_closed_recovery() returns trigger
  language plpgsql security definer set search_path = platform, pg_temp as $$
  begin
    return case when platform_v1.tenant_standing(new.tenant_id) = 'closed' then null else new end;
  end $$;
  create trigger drop_closed before insert on platform.recovery_request
    for each row execute function platform.drop_closed_recovery();
  revoke all on function platform.drop_closed_recovery from public`;

/** As before; not for a closed tenant either. Its members are gone: one that was being invited meanwhile gets in nowhere. */
const SESSIONS = `
  create or replace function platform.refuse_suspended_session() returns trigger
  language plpgsql volatile security definer set search_path = platform, pg_temp as $$
  begin
    if platform_v1.tenant_standing(new.tenant_id) in ('suspended', 'closed') then
      raise exception 'the tenant is suspended or closed' using errcode = 'CN423';
    end if;
    return new;
  end $$`;

export const CLOSED_TENANTS = [CLOSE_TENANT, NO_RECOVERY, SESSIONS];
