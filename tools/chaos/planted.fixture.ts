/** Changes of the store that no process of ours makes, and what the oracle must say of each. */
export const PLANTED: [name: string, sql: string, says: RegExp][] = [
  [
    'a signature request that is gone',
    `delete from signing.signature_request where id = (select id from signing.signature_request where status = 'signed' limit 1)`,
    /^a debit of nothing that exists: signature/,
  ],
  [
    'a debit that is gone',
    `delete from platform.credit_entry where ref_type = 'screening' and (tenant_id, seq) =
       (select tenant_id, max(seq) from platform.credit_entry where ref_type = 'screening' group by 1 limit 1)`,
    /^not exactly one debit of the price: screening/,
  ],
  [
    'a debit of twice the price, with a balance to match',
    `with e as (update platform.credit_entry set amount = amount * 2, quantity = quantity * 2 where id =
         (select id from platform.credit_entry where ref_type = 'envelope' and kind = 'debit' limit 1) returning *)
     update platform.credit_account a set available = available + e.amount / 2 from e where e.tenant_id = a.tenant_id`,
    /^not exactly one debit of the price: envelope/,
  ],
  [
    'a second debit for the same thing, with a balance to match',
    `with d as (select * from platform.credit_entry where ref_type = 'signature' and kind = 'debit' limit 1),
       a as (update platform.credit_account a set available = available + d.amount, last_seq = last_seq + 1
               from d where a.tenant_id = d.tenant_id returning a.*)
     insert into platform.credit_entry (tenant_id, seq, kind, amount, quantity, balance_after, debit_account, credit_account, module,
       ref_type, ref_id) select d.tenant_id, a.last_seq, 'debit', d.amount, d.quantity, a.available, d.debit_account, d.credit_account,
       d.module, d.ref_type, gen_random_uuid() from d, a`,
    /^a debit of nothing that exists: signature/,
  ],
  [
    'a balance that does not follow from its entries',
    `update platform.credit_account set available = available + 1`,
    /^the ledger of a tenant/,
  ],
  [
    'a hold that a passed step did not capture',
    `update platform.credit_hold set status = 'released' where id = (select hold_id from identity.step_run
       where status = 'applied' and outcome = 'pass' and hold_id is not null limit 1)`,
    /^a hold that the outcome of its step does not explain/,
  ],
  [
    'work that nobody ends',
    `update signing.signature_request set status = 'pending' where id = (select id from signing.signature_request limit 1)`,
    /^still open: signature/,
  ],
  [
    'a delivery that is gone',
    `delete from platform.delivery where id = (select id from platform.delivery limit 1)`,
    /^an event without its delivery/,
  ],
  [
    'a delivery that is said to be done and was never tried',
    `delete from platform.delivery_attempt where delivery_id = (select id from platform.delivery where status = 'delivered' limit 1)`,
    /^a delivered delivery without a successful attempt/,
  ],
  [
    'an event that is gone',
    `delete from platform.event where event_id = (select event_id from platform.event where event_type = 'seal.signature.completed' limit 1)`,
    /^an end that was not announced once: seal\.signature\.completed sig_/,
  ],
  [
    'an event twice, under two ids',
    `insert into platform.event select gen_random_uuid(), tenant_id, module, event_type, occurred_at, body, traceparent
       from platform.event where event_type = 'screening.completed' limit 1`,
    /^an end that was not announced once: screening\.completed scr_\w+ announced 2 times/,
  ],
  [
    'a link of a trail that was altered',
    `update signing.envelope_event set ip = '203.0.113.9' where (envelope_id, seq) = (select envelope_id, seq from signing.envelope_event
       where type = 'signer.signed' limit 1)`,
    /^chain of signing\.envelope_event: \S+ altered/,
  ],
  [
    'a link that is gone from the middle of a chain',
    `delete from identity.session_event where seq = 2`,
    /^chain of identity\.session_event: \S+ gap/,
  ],
  [
    'a timeline that was cut at its end',
    `delete from compliance.case_event where seq = (select max(seq) from compliance.case_event)`,
    /^chain of compliance\.case_event: \S+ truncated/,
  ],
  [
    'an approved request whose price was given back',
    `update platform.credit_hold set status = 'released' where id =
       (select hold_id from identity.wallet_presentation where status = 'approved' limit 1)`,
    /^a request for a kept verification that its hold does not explain: \S+ approved, hold released/,
  ],
  [
    'a request that ended otherwise, and was charged',
    `update platform.credit_entry set kind = 'capture' where kind = 'release' and ref_id =
       (select id from identity.wallet_presentation where status in ('declined', 'expired', 'cancelled') limit 1)`,
    /^not one debit for an approved request, or one for another request: \S+ \w+: 1 holds, 1 debits of 32, 0 releases/,
  ],
  [
    'an approved request whose subject is gone',
    `delete from identity.subject where id = (select subject_id from identity.wallet_presentation where status = 'approved' limit 1)`,
    /^an approved request without its subject/,
  ],
  [
    'an approval that was not announced',
    `delete from platform.event where event_id =
       (select event_id from platform.event where event_type = 'wallet.presentation.approved' limit 1)`,
    /^an end that was not announced once: wallet\.presentation\.approved wpr_/,
  ],
  [
    'a release to a client that was not paid',
    `delete from platform.credit_entry where ref_type = 'oidc_release' and (tenant_id, seq) =
       (select tenant_id, max(seq) from platform.credit_entry where ref_type = 'oidc_release' group by 1 limit 1)`,
    /^not exactly one debit of the price: oidc_release/,
  ],
  [
    'a request that nobody ends',
    `update identity.wallet_presentation set status = 'pending', ended_at = null, expires_at = now() - interval '1 s' where id =
       (select id from identity.wallet_presentation where status = 'expired' limit 1)`,
    /^still open: request whose time is over/,
  ],
];
