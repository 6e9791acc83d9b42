const AS_OWNER = 'language plpgsql volatile security definer set search_path = identity, pg_temp';
const READS = 'language sql stable security definer set search_path = identity, pg_temp';
const WRITES = 'language sql volatile security definer set search_path = identity, pg_temp';

/**
 * A recovery, of anybody who named a contact. wallet_id: null until a code proved the contact. check_input: what the engines are asked, while
 * they are. passkey: the one that is to be the only one. code_hash and cancel_hash: of what was mailed.
 */
export const RECOVERY = `
  create table identity.wallet_recovery (
    id uuid primary key,
    contact_index bytea not null check (octet_length(contact_index) = 32),
    wallet_id uuid references identity.wallet,
    state text not null default 'started' check (state in (
      'started', 'contact_verified', 'biometric_verified', 'cooling', 'completed', 'cancelled', 'expired', 'rejected'
    )),
    reason text,
    code_hash bytea check (octet_length(code_hash) = 32),
    code_until timestamptz,
    wrong_codes integer not null default 0,
    challenge_id uuid,
    challenge_poses text[],
    challenge_issued_at timestamptz(3),
    challenge_expires_at timestamptz(3),
    passkey jsonb,
    passkey_sealed bytea,
    checks integer not null default 0,
    check_input jsonb,
    check_deadline timestamptz,
    lease_token uuid,
    lease_until timestamptz,
    claims integer not null default 0,
    cancel_hash bytea check (octet_length(cancel_hash) = 32),
    created_at timestamptz(3) not null default now(),
    expires_at timestamptz(3) not null,
    verified_at timestamptz(3),
    effective_at timestamptz(3),
    ended_at timestamptz(3),
    check (wallet_id is not null or state in ('started', 'expired', 'rejected')),
    check ((passkey is null) = (passkey_sealed is null)),
    check ((effective_at is not null) or state <> 'cooling')
  );
  create index wallet_recovery_contact on identity.wallet_recovery (contact_index, created_at);
  create index wallet_recovery_of on identity.wallet_recovery (wallet_id);
  create index wallet_recovery_created on identity.wallet_recovery (created_at);
  create unique index wallet_recovery_one on identity.wallet_recovery (wallet_id) where state in ('biometric_verified', 'cooling');
  create index wallet_recovery_due on identity.wallet_recovery (effective_at) where state = 'cooling';
  create index wallet_recovery_expiry on identity.wallet_recovery (expires_at) where state in ('started', 'contact_verified');
  create index wallet_recovery_check on identity.wallet_recovery (check_deadline) where check_input is not null;
  create unique index wallet_recovery_cancel on identity.wallet_recovery (cancel_hash)`;

/** Pictures of a recovery: deleted when the engines have looked at them, and when it ends. */
export const PICTURE = `
  create table identity.wallet_recovery_picture (
    id uuid primary key,
    recovery_id uuid not null references identity.wallet_recovery on delete cascade,
    wallet_id uuid not null references identity.wallet,
    sealed bytea not null check (octet_length(sealed) <= 2097152),
    received_at timestamptz(3) not null default clock_timestamp()
  );
  create index wallet_recovery_picture_of on identity.wallet_recovery_picture (recovery_id);
  create index wallet_recovery_picture_wallet on identity.wallet_recovery_picture (wallet_id)`;

/** The mails about recoveries. */
export const MAIL = `
  alter table identity.wallet_mail drop constraint wallet_mail_kind_check;
  alter table identity.wallet_mail
    add column recovery_id uuid references identity.wallet_recovery on delete cascade,
    add constraint wallet_mail_kind_check check (kind in (
      'offer_code', 'address_taken', 'kept', 'other_address', 'sign_in_code', 'presentation', 'consent_code',
      'credential_code', 'passkey_added', 'passkey_removed', 'passkey_refused',
      'recovery_code', 'recovery_cooling', 'recovery_cancelled', 'recovery_completed'
    )),
    add check ((kind in ('recovery_code', 'recovery_cooling')) = (recovery_id is not null));
  create index wallet_mail_recovery on identity.wallet_mail (recovery_id) where recovery_id is not null;`;

/**
 * start_recovery: retry_after when the contact has as many of a day as it may. keep_recovery_code: for a contact without a wallet the other
 * hash is kept, which no code has; answers the wallet, or null. verify_recovery: ok, wrong, no_face, another (is under way), ended or
 * unknown; nothing about a wallet is read before the code is right.
 */
export const START = `
  create function identity.start_recovery(
    p_id uuid, p_contact bytea, p_seconds integer, p_most integer, out expires_at timestamptz, out retry_after integer
  ) ${AS_OWNER} as $$
  declare
    v_count integer;
    v_oldest timestamptz;
  begin
    perform pg_advisory_xact_lock(hashtextextended('wallet_recovery ' || encode(p_contact, 'hex'), 0));
    select count(*), min(r.created_at) into v_count, v_oldest
      from wallet_recovery r where r.contact_index = p_contact and r.created_at > now() - interval '1 day';
    if v_count >= p_most then
      retry_after := greatest(1, ceil(extract(epoch from v_oldest + interval '1 day' - now())))::integer;
      return;
    end if;
    insert into wallet_recovery as r (id, contact_index, expires_at)
    values (p_id, p_contact, date_trunc('second', now()) + make_interval(secs => p_seconds))
    returning r.expires_at into start_recovery.expires_at;
    insert into wallet_mail (kind, contact_index, recovery_id) values ('recovery_code', p_contact, p_id);
  end $$;

  create function identity.keep_recovery_code(p_id uuid, p_code_hash bytea, p_decoy_hash bytea, p_ttl_seconds integer) returns uuid
  ${AS_OWNER} as $$
  declare
    v_wallet uuid;
  begin
    select w.wallet_id into v_wallet
      from wallet_recovery r left join wallet w on w.contact_index = r.contact_index where r.id = p_id;
    update wallet_recovery r
       set code_hash = case when v_wallet is null then p_decoy_hash else p_code_hash end,
           code_until = least(now() + make_interval(secs => p_ttl_seconds), r.expires_at)
     where r.id = p_id and r.state = 'started' and r.expires_at > now();
    return case when found then v_wallet end;
  end $$;

  create function identity.verify_recovery(p_id uuid, p_code_hashes bytea[], p_most_wrong integer, out outcome text, out wallet_id uuid)
  ${AS_OWNER} as $$
  declare
    v_recovery wallet_recovery;
    v_wallet uuid;
  begin
    select * into v_recovery from wallet_recovery r where r.id = p_id for update;
    if not found then
      outcome := 'unknown';
      return;
    end if;
    if v_recovery.state <> 'started' or v_recovery.expires_at <= now() then
      outcome := 'ended';
      return;
    end if;
    if v_recovery.code_hash = any (p_code_hashes) and v_recovery.code_until > now() then
      select w.wallet_id into v_wallet from wallet w where w.contact_index = v_recovery.contact_index for share;
    end if;
    if v_wallet is null then
      outcome := 'wrong';
      update wallet_recovery r
         set wrong_codes = r.wrong_codes + 1,
             state = case when r.wrong_codes + 1 >= p_most_wrong then 'rejected' else r.state end,
             reason = case when r.wrong_codes + 1 >= p_most_wrong then 'wrong_codes' end,
             ended_at = case when r.wrong_codes + 1 >= p_most_wrong then now() end
       where r.id = p_id;
      return;
    end if;
    outcome := case
      when not exists (select from wallet_face f where f.wallet_id = v_wallet) then 'no_face'
      when exists (
        select from wallet_recovery r where r.wallet_id = v_wallet and r.state in ('biometric_verified', 'cooling')) then 'another'
      else 'ok' end;
    update wallet_recovery r
       set wallet_id = v_wallet, code_hash = null,
           state = case verify_recovery.outcome when 'ok' then 'contact_verified' else 'rejected' end,
           reason = nullif(verify_recovery.outcome, 'ok'),
           ended_at = case verify_recovery.outcome when 'ok' then null else now() end
     where r.id = p_id;
    if outcome = 'ok' then
      wallet_id := v_wallet;
    end if;
  end $$;

  create function identity.find_recovery(p_id uuid) returns setof identity.wallet_recovery ${READS} as $$
    select r.* from wallet_recovery r where r.id = p_id
  $$`;

/** What is_open: the person may send evidence. queue_recovery_check: queued, ended, busy, no_passkey, no_challenge, no_picture. */
export const EVIDENCE = `
  create function identity.recovery_takes_evidence(r identity.wallet_recovery) returns boolean language sql stable as $$
    select r.state = 'contact_verified' and r.expires_at > now() and r.check_input is null
  $$;

  create function identity.issue_recovery_challenge(p_id uuid, p_challenge uuid, p_poses text[], p_seconds integer)
  returns table (issued_at timestamptz, expires_at timestamptz) ${WRITES} as $$
    update wallet_recovery r
       set challenge_id = p_challenge, challenge_poses = p_poses, challenge_issued_at = clock_timestamp(),
           challenge_expires_at = clock_timestamp() + make_interval(secs => p_seconds)
     where r.id = p_id and recovery_takes_evidence(r)
    returning r.challenge_issued_at, r.challenge_expires_at
  $$;

  create function identity.add_recovery_picture(p_id uuid, p_picture uuid, p_sealed bytea, p_most integer) returns boolean ${AS_OWNER} as $$
  declare
    v_recovery wallet_recovery;
  begin
    -- First, as everything does that locks both: the picture refers to it.
    perform from wallet w where w.wallet_id = (select r.wallet_id from wallet_recovery r where r.id = p_id) for key share;
    select * into v_recovery from wallet_recovery r where r.id = p_id for update;
    if not coalesce(recovery_takes_evidence(v_recovery), false)
       or (select count(*) from wallet_recovery_picture p where p.recovery_id = p_id) >= p_most then
      return false;
    end if;
    insert into wallet_recovery_picture (id, recovery_id, wallet_id, sealed) values (p_picture, p_id, v_recovery.wallet_id, p_sealed);
    return true;
  end $$;

  create function identity.keep_recovery_passkey(p_id uuid, p_passkey jsonb, p_sealed bytea) returns boolean ${AS_OWNER} as $$
  begin
    update wallet_recovery r set passkey = p_passkey, passkey_sealed = p_sealed where r.id = p_id and recovery_takes_evidence(r);
    return found;
  end $$;

  create function identity.queue_recovery_check(p_id uuid, p_challenge uuid, p_selfie uuid, p_frames uuid[], p_deadline_ms integer)
  returns text ${AS_OWNER} as $$
  declare
    v_recovery wallet_recovery;
    v_frames jsonb;
  begin
    select * into v_recovery from wallet_recovery r where r.id = p_id for update;
    if not found or v_recovery.state <> 'contact_verified' or v_recovery.expires_at <= now() then
      return 'ended';
    elsif v_recovery.check_input is not null then
      return 'busy';
    elsif v_recovery.passkey is null then
      return 'no_passkey';
    elsif v_recovery.challenge_id is distinct from p_challenge then
      return 'no_challenge';
    end if;
    select jsonb_agg(jsonb_build_object('picture', p.id, 'received_at', p.received_at) order by f.nth) into v_frames
      from unnest(p_frames) with ordinality f(id, nth) join wallet_recovery_picture p on p.id = f.id and p.recovery_id = p_id;
    if jsonb_array_length(v_frames) is distinct from cardinality(v_recovery.challenge_poses)
       or cardinality(p_frames) <> cardinality(v_recovery.challenge_poses)
       or not exists (select from wallet_recovery_picture p where p.id = p_selfie and p.recovery_id = p_id) then
      return 'no_picture';
    end if;
    update wallet_recovery r
       set check_input = jsonb_build_object(
             'v', 1, 'selfie', p_selfie, 'frames', v_frames, 'poses', to_jsonb(r.challenge_poses),
             'issued_at', r.challenge_issued_at, 'expires_at', r.challenge_expires_at),
           check_deadline = now() + make_interval(secs => p_deadline_ms / 1000.0), challenge_id = null, reason = null,
           checks = r.checks + 1, claims = 0, lease_token = null, lease_until = null
     where r.id = p_id;
    return 'queued';
  end $$`;

/**
 * The biometrics worker's side, as that of step runs. finish_recovery_check: pass proves the person; reject ends the recovery, and so does the
 * last check that proved nothing; error uses none up. The pictures are deleted whatever comes of it.
 */
export const CHECKS = `
  create function identity.claim_recovery_checks(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, wallet_id uuid, input jsonb, lease_token uuid, deadline_at timestamptz, claims integer,
    wrapped_key bytea, face_verification_id uuid, face_sealed bytea
  ) ${WRITES} as $$
    with due as (
      select r.id from wallet_recovery r
       where r.check_input is not null and r.check_deadline > now() and r.claims < 3 and (r.lease_until is null or r.lease_until <= now())
       order by r.check_deadline limit p_limit for update skip locked
    ), claimed as (
      update wallet_recovery r
         set lease_token = gen_random_uuid(), lease_until = now() + make_interval(secs => p_lease_seconds), claims = r.claims + 1
        from due where r.id = due.id
      returning r.id, r.wallet_id, r.check_input, r.lease_token, r.check_deadline, r.claims
    )
    select c.id, c.wallet_id, c.check_input, c.lease_token, c.check_deadline, c.claims, w.wrapped_key, f.verification_id, f.sealed
      from claimed c join wallet w on w.wallet_id = c.wallet_id left join wallet_face f on f.wallet_id = c.wallet_id
  $$;

  create function identity.extend_recovery_check(p_id uuid, p_lease_token uuid, p_lease_seconds integer) returns void ${WRITES} as $$
    update wallet_recovery r set lease_until = now() + make_interval(secs => p_lease_seconds)
     where r.id = p_id and r.lease_token = p_lease_token and r.check_input is not null
  $$;

  create function identity.recovery_pictures(p_id uuid, p_lease_token uuid, p_pictures uuid[]) returns table (id uuid, sealed bytea)
  ${READS} as $$
    select p.id, p.sealed from wallet_recovery_picture p join wallet_recovery r on r.id = p.recovery_id
     where r.id = p_id and r.lease_token = p_lease_token and p.id = any (p_pictures)
  $$;

  create function identity.end_recovery_check(r identity.wallet_recovery, p_outcome text, p_reason text, p_most integer) returns void
  ${AS_OWNER} as $$
  declare
    v_another boolean := exists (
      select from wallet_recovery o where o.wallet_id = r.wallet_id and o.id <> r.id and o.state in ('biometric_verified', 'cooling'));
    v_state text := case
      when p_outcome = 'pass' and not v_another then 'biometric_verified'
      when p_outcome in ('pass', 'reject') then 'rejected'
      when p_outcome in ('review', 'retry') and r.checks >= p_most then 'rejected'
      else r.state end;
  begin
    delete from wallet_recovery_picture p where p.recovery_id = r.id;
    update wallet_recovery u
       set state = v_state,
           reason = case
             when p_outcome = 'pass' and v_another then 'another'
             when p_outcome = 'error' then 'unavailable'
             else p_reason end,
           checks = case p_outcome when 'error' then u.checks - 1 else u.checks end,
           check_input = null, check_deadline = null, lease_token = null, lease_until = null,
           verified_at = case v_state when 'biometric_verified' then now() end,
           ended_at = case v_state when 'rejected' then now() end,
           passkey = case v_state when 'rejected' then null else u.passkey end,
           passkey_sealed = case v_state when 'rejected' then null else u.passkey_sealed end
     where u.id = r.id;
  end $$;

  create function identity.finish_recovery_check(p_id uuid, p_lease_token uuid, p_outcome text, p_reason text, p_most integer) returns boolean
  ${AS_OWNER} as $$
  declare
    v_recovery wallet_recovery;
  begin
    perform from wallet w where w.wallet_id = (select r.wallet_id from wallet_recovery r where r.id = p_id) for no key update;
    select * into v_recovery from wallet_recovery r
     where r.id = p_id and r.lease_token = p_lease_token and r.check_input is not null and r.state = 'contact_verified' for update;
    if not found then
      return false;
    end if;
    perform end_recovery_check(v_recovery, p_outcome, p_reason, p_most);
    return true;
  end $$`;

/**
 * cool_recovery: begins the time in which anyone with old access can cancel, and mails them. complete_recovery: the new passkey is the only one,
 * and every session is over; false when it was cancelled, is done or not due. The wallet's row is locked first, as an erasure does.
 * recovery_mail: the time counts from the notice; without one that was sent nothing is completed (recovery_is_due). No row: it is too late for
 * one, since the recovery would expire before its time is over; then an attempt before, which may not have arrived, completes nothing either.
 */
export const ENDS = `
  create function identity.recoveries_to_cool(p_limit integer) returns table (id uuid, wallet_id uuid) ${READS} as $$
    select r.id, r.wallet_id from wallet_recovery r where r.state = 'biometric_verified' order by r.verified_at limit p_limit
  $$;

  create function identity.cool_recovery(p_id uuid, p_wallet_id uuid, p_hours integer) returns boolean ${AS_OWNER} as $$
  begin
    perform from wallet w where w.wallet_id = p_wallet_id for no key update;
    update wallet_recovery r
       set state = 'cooling', effective_at = date_trunc('second', now()) + make_interval(hours => p_hours)
     where r.id = p_id and r.state = 'biometric_verified';
    if not found then
      return false;
    end if;
    insert into wallet_mail (kind, wallet_id, recovery_id) values ('recovery_cooling', p_wallet_id, p_id);
    return true;
  end $$;

  create function identity.recovery_mail(p_id uuid, p_cancel_hash bytea, p_hours integer) returns table (effective_at timestamptz)
  ${WRITES} as $$
    update wallet_recovery r set cancel_hash = null
     where r.id = p_id and r.state = 'cooling' and r.created_at <= now() - interval '5 days';
    update wallet_recovery r
       set cancel_hash = p_cancel_hash,
           effective_at = greatest(r.effective_at, date_trunc('second', now()) + make_interval(hours => p_hours))
     where r.id = p_id and r.state = 'cooling' and r.created_at > now() - interval '5 days' returning r.effective_at
  $$;

  create function identity.recovery_is_due(r identity.wallet_recovery) returns boolean language sql stable as $$
    select r.state = 'cooling' and r.effective_at <= now() and r.cancel_hash is not null and r.created_at > now() - interval '6 days'
       and not exists (select from identity.wallet_mail m where m.recovery_id = r.id)
  $$;

  create function identity.cancel_recovery(p_id uuid, p_wallet_id uuid) returns boolean ${AS_OWNER} as $$
  begin
    perform from wallet w where w.wallet_id = p_wallet_id for no key update;
    update wallet_recovery r
       set state = 'cancelled', ended_at = now(), passkey = null, passkey_sealed = null, cancel_hash = null
     where r.id = p_id and r.wallet_id = p_wallet_id and r.state in ('biometric_verified', 'cooling');
    if not found then
      return false;
    end if;
    insert into wallet_mail (kind, wallet_id) values ('recovery_cancelled', p_wallet_id);
    return true;
  end $$;

  create function identity.cancel_recovery_by_link(p_cancel_hash bytea) returns boolean ${READS.replace('stable', 'volatile')} as $$
    select coalesce((select cancel_recovery(r.id, r.wallet_id) from wallet_recovery r where r.cancel_hash = p_cancel_hash), false)
  $$;

  create function identity.cancel_recovery_of(p_wallet_id uuid) returns boolean ${READS.replace('stable', 'volatile')} as $$
    select coalesce((
      select cancel_recovery(r.id, r.wallet_id) from wallet_recovery r
       where r.wallet_id = p_wallet_id and r.state in ('biometric_verified', 'cooling')), false)
  $$;

  create function identity.recoveries_to_complete(p_limit integer) returns table (id uuid, wallet_id uuid) ${READS} as $$
    select r.id, r.wallet_id from wallet_recovery r
     where r.state = 'cooling' and r.effective_at <= now() and recovery_is_due(r) order by r.effective_at limit p_limit
  $$;

  create function identity.complete_recovery(p_id uuid, p_wallet_id uuid) returns text ${AS_OWNER} as $$
  declare
    v_recovery wallet_recovery;
  begin
    perform from wallet w where w.wallet_id = p_wallet_id and w.erased_at is null for no key update;
    if not found then
      return null;
    end if;
    select * into v_recovery from wallet_recovery r
     where r.id = p_id and r.wallet_id = p_wallet_id and recovery_is_due(r) for update;
    if not found then
      return null;
    end if;
    delete from wallet_passkey k where k.wallet_id = p_wallet_id;
    update wallet_session s set ended_at = now() where s.wallet_id = p_wallet_id and s.ended_at is null;
    update wallet w set signed_out_at = clock_timestamp() where w.wallet_id = p_wallet_id;
    insert into wallet_passkey (id, wallet_id, credential_id, public_key, sign_count, transports, sealed, backed_up)
    select (k->>'id')::uuid, p_wallet_id, decode(k->>'credential_id', 'hex'), decode(k->>'public_key', 'hex'), (k->>'sign_count')::bigint,
           array(select jsonb_array_elements_text(k->'transports')), v_recovery.passkey_sealed, (k->>'backed_up')::boolean
      from (select v_recovery.passkey as k) p;
    update wallet_recovery r
       set state = 'completed', ended_at = now(), passkey = null, passkey_sealed = null, cancel_hash = null where r.id = p_id;
    insert into wallet_mail (kind, wallet_id) values ('recovery_completed', p_wallet_id);
    return 'completed';
  exception when unique_violation then
    -- The passkey became that of another wallet meanwhile: nothing is taken away.
    update wallet_recovery r
       set state = 'rejected', reason = 'passkey_taken', ended_at = now(), passkey = null, passkey_sealed = null, cancel_hash = null
     where r.id = p_id and r.state = 'cooling';
    return 'rejected';
  end $$`;

/** expire_recoveries: what nobody works on any more, and what nobody went on with. An ended one is kept for three days: its starts are counted for one. */
export const SWEEP = `
  create function identity.expire_recoveries(p_limit integer, p_most integer) returns void ${AS_OWNER} as $$
  declare
    v_recovery wallet_recovery;
  begin
    for v_recovery in
      select * from wallet_recovery r
       where r.check_input is not null and (r.check_deadline <= now() or (r.claims >= 3 and r.lease_until <= now()))
       limit p_limit for update skip locked
    loop
      perform end_recovery_check(v_recovery, 'error', 'unavailable', p_most);
    end loop;
    for v_recovery in
      select * from wallet_recovery r
       where (r.state in ('started', 'contact_verified') and r.expires_at <= now() and r.check_input is null)
          or (r.state = 'cooling' and r.created_at <= now() - interval '6 days')
       limit p_limit for update skip locked
    loop
      delete from wallet_recovery_picture p where p.recovery_id = v_recovery.id;
      update wallet_recovery r
         set state = 'expired', ended_at = now(), code_hash = null, passkey = null, passkey_sealed = null,
             cancel_hash = null where r.id = v_recovery.id;
    end loop;
    delete from wallet_recovery r
     where r.id in (select o.id from wallet_recovery o
                     where o.created_at < now() - interval '3 days'
                       and o.state in ('completed', 'cancelled', 'expired', 'rejected') limit p_limit);
  end $$;

  create function identity.wallet_recovery_lag() returns double precision ${READS} as $$
    select coalesce(extract(epoch from now() - min(case r.state when 'cooling' then r.effective_at else r.verified_at end)), 0)::double precision
      from wallet_recovery r
     where r.state = 'biometric_verified' or (r.state = 'cooling' and r.effective_at <= now())
  $$`;

const FUNCTIONS = [
  'start_recovery', 'keep_recovery_code', 'verify_recovery', 'find_recovery', 'issue_recovery_challenge', 'add_recovery_picture',
  'keep_recovery_passkey', 'queue_recovery_check', 'claim_recovery_checks', 'extend_recovery_check', 'recovery_pictures',
  'finish_recovery_check', 'recoveries_to_cool', 'cool_recovery', 'recovery_mail', 'cancel_recovery_by_link', 'cancel_recovery_of',
  'recoveries_to_complete', 'complete_recovery', 'expire_recoveries', 'wallet_recovery_lag',
].map((name) => `identity.${name}`).join(', '); // prettier-ignore

export const GRANTS = `
  revoke all on function ${FUNCTIONS}, identity.recovery_takes_evidence, identity.recovery_is_due, identity.end_recovery_check, identity.cancel_recovery from public;
  grant execute on function ${FUNCTIONS} to identity_app`;
