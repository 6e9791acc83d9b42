/**
 * The biometrics worker's side of subjects and assets, for the run that it holds the lease of: it belongs to one tenant and one
 * subject, and gets nothing of another. No rows: erased meanwhile.
 */
const SUBJECT_KEY = `
  create function identity.subject_key(p_tenant_id uuid, p_subject_id uuid) returns bytea
  language sql stable security definer set search_path = identity, pg_temp as $$
    select wrapped_key from subject where id = p_subject_id and tenant_id = p_tenant_id
  $$`;

/** The sealed record of a subject (document number, name…), for the comparison with what a document says. */
const SUBJECT_RECORD = `
  create function identity.subject_record(p_tenant_id uuid, p_subject_id uuid)
  returns table (wrapped_key bytea, sealed bytea)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select wrapped_key, sealed from subject
     where id = p_subject_id and tenant_id = p_tenant_id and wrapped_key is not null
  $$`;

/** What is needed to fetch and open stored pictures: object key by tenant, subject, id and version. */
const ASSET_FACTS = `
  create function identity.asset_facts(p_tenant_id uuid, p_subject_id uuid, p_asset_ids uuid[])
  returns table (id uuid, kind text, version int, sha256 bytea, bytes int, width int, height int, stored_at timestamptz)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select id, kind, version, sha256, bytes, width, height, stored_at from asset
     where id = any (p_asset_ids) and tenant_id = p_tenant_id and subject_id = p_subject_id and status = 'stored'
  $$`;

/**
 * Direct uploads whose address has expired and that were not looked after since. The caller settles those that still await their
 * picture, removes what is left at the address and calls direct_upload_swept. Each is given out to one caller at a time.
 */
const DIRECT_DUE = `
  create function identity.direct_uploads_due(p_limit integer, p_lease_seconds integer)
  returns table (id uuid, tenant_id uuid, subject_id uuid, status text)
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select a.id from asset a
       where a.direct and a.swept_at is null and a.expires_at <= now() and a.status in ('awaiting', 'stored')
         and (a.lease_until is null or a.lease_until <= now())
       order by a.expires_at limit p_limit for update skip locked
    )
    update asset a set lease_until = now() + make_interval(secs => p_lease_seconds)
      from due where a.id = due.id
    returning a.id, a.tenant_id, a.subject_id, a.status
  $$`;

/** Nothing is left at the address of a direct upload. One that still awaits its picture is given up: p_reason. */
const DIRECT_SWEPT = `
  create function identity.direct_upload_swept(p_asset_id uuid, p_reason text) returns void
  language sql volatile security definer set search_path = identity, pg_temp as $$
    update asset
       set swept_at = now(), lease_until = null,
           status = case when status = 'awaiting' then 'deleting' else status end,
           delete_reason = case when status = 'awaiting' then p_reason else delete_reason end
     where id = p_asset_id and swept_at is null
  $$`;

/** Presigned uploads that nobody made: given up. Answers how many. */
const EXPIRE_PRESIGNS = `
  create function identity.expire_presigns(p_limit integer) returns integer
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select a.id from asset a
       where a.status = 'awaiting' and not a.direct and a.expires_at <= now()
         and (a.claim_until is null or a.claim_until <= now())
       order by a.expires_at limit p_limit for update skip locked
    ), ended as (
      update asset a set status = 'deleting', delete_reason = 'unused', lease_until = null
        from due where a.id = due.id returning 1
    )
    select count(*)::integer from ended
  $$`;

/** Pictures that were kept for as long as their tenant wants (p_default_days: without settings). Answers how many. */
const RETIRE = `
  create function identity.retire_assets(p_limit integer, p_default_days integer) returns integer
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select a.id from asset a left join tenant_settings s on s.tenant_id = a.tenant_id
       where a.status = 'stored'
         and a.stored_at <= now() - make_interval(days => coalesce(s.image_retention_days, p_default_days))
       order by a.stored_at limit p_limit for update of a skip locked
    ), ended as (
      update asset a set status = 'deleting', delete_reason = 'retention', lease_until = null
        from due where a.id = due.id returning 1
    )
    select count(*)::integer from ended
  $$`;

/**
 * Pictures whose objects are to be removed; each is given out to one caller at a time, and not while an upload to it is being
 * received. The caller removes every version and then calls asset_deleted.
 */
const TO_DELETE = `
  create function identity.assets_to_delete(p_limit integer, p_lease_seconds integer)
  returns table (id uuid, tenant_id uuid, subject_id uuid, version int, direct boolean)
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select a.id from asset a
       where a.status = 'deleting' and (a.lease_until is null or a.lease_until <= now())
         and (a.claim_until is null or a.claim_until <= now())
         and not (a.direct and a.expires_at > now())
       order by a.lease_until nulls first limit p_limit for update skip locked
    )
    update asset a set lease_until = now() + make_interval(secs => p_lease_seconds)
      from due where a.id = due.id
    returning a.id, a.tenant_id, a.subject_id, a.version, a.direct
  $$`;

/** The objects are gone. A row that never held a picture goes too; of others stays that and why they went. */
const DELETED = `
  create function identity.asset_deleted(p_asset_id uuid) returns boolean
  language plpgsql volatile security definer set search_path = identity, pg_temp as $$
  begin
    delete from asset where id = p_asset_id and status = 'deleting' and stored_at is null;
    if found then
      return true;
    end if;
    update asset set status = 'deleted', deleted_at = now(), lease_until = null, sha256 = null, width = null, height = null
     where id = p_asset_id and status = 'deleting';
    return found;
  end $$`;

/** Erased subjects whose legal hold is over: the rest may go. */
const HOLDS_OVER = `
  create function identity.holds_over(p_limit integer)
  returns table (id uuid, tenant_id uuid)
  language sql stable security definer set search_path = identity, pg_temp as $$
    select id, tenant_id from subject where legal_hold_until <= now() order by legal_hold_until limit p_limit
  $$`;

/** Sessions that were kept for as long as their tenant wants: what they and their runs gathered goes. Answers how many. */
const FORGET_SESSIONS = `
  create function identity.forget_sessions(p_limit integer, p_default_days integer) returns integer
  language sql volatile security definer set search_path = identity, pg_temp as $$
    with due as (
      select f.id from flow_session f left join tenant_settings s on s.tenant_id = f.tenant_id
       where f.completed_at is not null and f.forgotten_at is null
         and f.completed_at <= now() - make_interval(days => coalesce(s.session_retention_days, p_default_days))
       order by f.completed_at limit p_limit for update of f skip locked
    ), runs as (
      update step_run r set result_sealed = null from due where r.session_id = due.id
    ), forgotten as (
      update flow_session f set forgotten_at = now(), sealed_context = null, external_ref = null
        from due where f.id = due.id returning 1
    )
    select count(*)::integer from forgotten
  $$`;

export const ASSET_FUNCTIONS = [
  SUBJECT_KEY,
  SUBJECT_RECORD,
  ASSET_FACTS,
  DIRECT_DUE,
  DIRECT_SWEPT,
  EXPIRE_PRESIGNS,
  RETIRE,
  TO_DELETE,
  DELETED,
  HOLDS_OVER,
  FORGET_SESSIONS,
];

export const ASSET_FUNCTION_NAMES = `identity.subject_key, identity.subject_record, identity.asset_facts,
  identity.direct_uploads_due, identity.direct_upload_swept, identity.expire_presigns, identity.retire_assets, identity.assets_to_delete,
  identity.asset_deleted, identity.holds_over, identity.forget_sessions`;

export const ASSET_GRANTS = `
  revoke all on function ${ASSET_FUNCTION_NAMES} from public;
  grant execute on function ${ASSET_FUNCTION_NAMES} to identity_app`;
