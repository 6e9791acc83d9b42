/** Kinds that are codes: sent before all others. */
const OTP = `('otp', 'otp_sms', 'otp_whatsapp')`;
const KINDS = `array['invitation', 'reminder', 'otp', 'otp_sms', 'otp_whatsapp', 'completed', 'declined', 'voided', 'expired', 'not_me']`;

/** Codes to phones are in the same table as mails. */
export const DUE = [
  `alter table signing.signer_mail drop constraint signer_mail_kind`,
  `alter table signing.signer_mail add constraint signer_mail_kind check (kind = any (${KINDS}))`,
  `drop index signing.signer_mail_due`,
  `create index signer_mail_due on signing.signer_mail ((kind not in ${OTP}), due_at) where sent_at is null and failed_at is null`,
];

/** As before, with codes to phones: the latest code replaces the former ones, however each is sent. */
export const LEASE = `
  create or replace function signing.lease_signer_mails(p_limit integer, p_lease_seconds integer, p_kinds text[])
  returns table (
    id uuid, tenant_id uuid, envelope_id uuid, signer_id uuid, kind text, secret bytea, attempts integer, lease_token uuid,
    created_at timestamptz, public_id text, subject text, message text, locale text, expires_at timestamptz, end_reason text,
    circuit_name text, role text, email text, name text, token_sealed bytea, otp_expires_at timestamptz, declined_by text
  )
  language sql volatile security definer set search_path = signing, pg_temp as $$
    with due as materialized (
      select m.id, m.kind, m.due_at, m.created_at, m.expires_at, m.signer_id, m.envelope_id
        from signer_mail m
       where m.sent_at is null and m.failed_at is null and m.due_at <= now() and m.kind = any (p_kinds)
         and (m.kind not in ('declined', 'voided', 'expired') or not exists (
           select from signer_mail earlier
            where earlier.signer_id = m.signer_id and earlier.kind in ('invitation', 'reminder')
              and earlier.sent_at is null and earlier.failed_at is null))
       order by (m.kind not in ${OTP}), m.due_at
       limit p_limit + 200
         for update skip locked
    ), judged as materialized (
      select d.id, d.kind, d.due_at,
             case
               when d.expires_at <= now() or d.created_at < now() - interval '24 hours' then 'expired'
               when d.kind in ('invitation', 'reminder') and (
                      e.status not in ('sent', 'in_progress') or e.expires_at <= now()
                      or s.status in ('waiting', 'signed', 'declined') or s.link_stopped_at is not null) then 'not_needed'
               when d.kind in ${OTP} and (
                      e.status in ('declined', 'voided', 'expired', 'failed') or s.status in ('waiting', 'declined')
                      or s.link_stopped_at is not null or (e.status in ('sent', 'in_progress') and e.expires_at <= now()))
                 then 'not_needed'
               when d.kind in ${OTP} and exists (
                      select from signer_mail later
                       where later.signer_id = d.signer_id and later.kind in ${OTP} and later.created_at > d.created_at)
                 then 'not_needed'
               when d.kind in ('declined', 'voided', 'expired') and not exists (
                      select from signer_mail earlier
                       where earlier.signer_id = d.signer_id and earlier.kind in ('invitation', 'reminder')
                         and earlier.sent_at is not null)
                 then 'not_needed'
             end as failure
        from due d join envelope e on e.id = d.envelope_id join envelope_signer s on s.id = d.signer_id
    ), wanted as materialized (
      select j.id from judged j where j.failure is null order by (j.kind not in ${OTP}), j.due_at limit p_limit
    ), given_up as (
      update signer_mail m
         set failed_at = now(), failure = coalesce(case when j.failure = 'expired' then m.failure end, j.failure),
             secret = null, lease_token = null, lease_until = null
        from judged j
       where m.id = j.id and j.failure is not null
    ), claimed as (
      update signer_mail m
         set lease_token = gen_random_uuid(),
             lease_until = now() + make_interval(secs => p_lease_seconds),
             due_at = now() + make_interval(secs => p_lease_seconds),
             attempts = m.attempts + 1
        from wanted w
       where m.id = w.id
      returning m.*
    )
    select c.id, c.tenant_id, c.envelope_id, c.signer_id, c.kind, c.secret, c.attempts, c.lease_token, c.created_at,
           e.public_id, e.subject, e.message, coalesce(c.locale, e.locale), e.expires_at, e.end_reason, circuit.name,
           s.role, s.email, s.name, s.token_sealed, c.expires_at, coalesce(decliner.name, decliner.role)
      from claimed c
      join envelope e on e.id = c.envelope_id
      join circuit on circuit.id = e.circuit_id
      join envelope_signer s on s.id = c.signer_id
      left join envelope_signer decliner on decliner.envelope_id = e.id and decliner.status = 'declined'
     order by (c.kind not in ${OTP}), c.created_at
  $$`;

/** claim_signer_mails_v3 with codes to phones. The release before claims by that one, which leaves them. */
export const CLAIM = `
  create function signing.claim_signer_mails_v4(p_limit integer, p_lease_seconds integer)
  returns table (
    id uuid, tenant_id uuid, envelope_id uuid, signer_id uuid, kind text, secret bytea, attempts integer, lease_token uuid,
    created_at timestamptz, public_id text, subject text, message text, locale text, expires_at timestamptz, end_reason text,
    circuit_name text, role text, email text, name text, token_sealed bytea, otp_expires_at timestamptz, declined_by text,
    sealed_person bytea, signer_key bytea, sealed_words bytea, sealed_end_reason bytea, envelope_key bytea,
    decliner_id uuid, decliner_person bytea, decliner_key bytea
  )
  language plpgsql volatile security definer set search_path = signing, pg_temp set enable_seqscan = off as $$
  declare
    m record;
  begin
    for m in
      select * from lease_signer_mails(p_limit, p_lease_seconds, ${KINDS}) c
       order by (c.kind not in ${OTP}), c.created_at
    loop
      return query
        select m.id, m.tenant_id, m.envelope_id, m.signer_id, m.kind, m.secret, m.attempts, m.lease_token,
               m.created_at, m.public_id, m.subject, m.message, m.locale, m.expires_at, m.end_reason,
               m.circuit_name, m.role, m.email, m.name, m.token_sealed, m.otp_expires_at, m.declined_by,
               s.sealed_person, sk.wrapped_key, e.sealed_words, e.sealed_end_reason, ek.wrapped_key,
               d.id, d.sealed_person, dk.wrapped_key
          from envelope_signer s
          join envelope e on e.id = s.envelope_id
          left join envelope_signer d on d.envelope_id = e.id and d.status = 'declined'
          left join subject_key sk on sk.tenant_id = s.tenant_id and sk.id = s.id
          left join subject_key ek on ek.tenant_id = s.tenant_id and ek.id = e.id
          left join subject_key dk on dk.tenant_id = s.tenant_id and dk.id = d.id
         where s.id = m.signer_id;
    end loop;
  end $$`;
