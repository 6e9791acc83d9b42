import { allowCommit } from '@constancia/credit-ledger';
import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * reminders: {after_days, every_days, most}; null: none are scheduled. reminder_due_at: when the sweep reminds a signer next; triggers clear it
 * once nobody waits for the signer.
 */
export class ScheduledReminders1764000006020 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    const statements = [
      COLUMNS,
      DUE_INDEX,
      ...CLEARED,
      DUE,
      allowCommit('signing', { tables: { envelope: ['reminders'], envelope_signer: ['reminder_due_at'] } }),
      GRANTS,
    ];
    for (const statement of statements) await runner.query(statement);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

const COLUMNS = `
  alter table signing.envelope add column reminders jsonb;
  alter table signing.envelope_signer
    add column reminder_due_at timestamptz,
    add column reminders_sent integer not null default 0`;

const DUE_INDEX = `
  create index envelope_signer_to_remind on signing.envelope_signer (reminder_due_at) where reminder_due_at is not null`;

const CLEARED = [
  `create function signing.clear_reminders_of_envelope() returns trigger
   language plpgsql security definer set search_path = signing, pg_temp as $$
   begin
     update envelope_signer set reminder_due_at = null where envelope_id = new.id and reminder_due_at is not null;
     return null;
   end $$`,
  `create trigger clear_reminders after update of status on signing.envelope
   for each row when (new.status not in ('sent', 'in_progress') and new.status is distinct from old.status)
   execute function signing.clear_reminders_of_envelope()`,
  `create function signing.clear_reminder_of_signer() returns trigger
   language plpgsql set search_path = signing, pg_temp as $$
   begin
     new.reminder_due_at := null;
     return new;
   end $$`,
  `create trigger clear_reminder before update of status on signing.envelope_signer
   for each row when (new.status in ('signed', 'declined') and new.reminder_due_at is not null)
   execute function signing.clear_reminder_of_signer()`,
];

/** Signers of any tenant whose reminder is due, the longest due first. */
const DUE = `
  create function signing.reminders_due(p_limit integer) returns table (tenant_id uuid, envelope_id uuid, id uuid)
  language sql stable security definer set search_path = signing, pg_temp as $$
    select s.tenant_id, s.envelope_id, s.id
      from envelope_signer s join envelope e on e.id = s.envelope_id
     where s.reminder_due_at <= now() and s.link_stopped_at is null and e.expires_at > now()
     order by s.reminder_due_at limit p_limit
  $$`;

const GRANTS = `
  revoke all on function signing.reminders_due, signing.clear_reminders_of_envelope, signing.clear_reminder_of_signer from public;
  grant execute on function signing.reminders_due to signing_app`;
