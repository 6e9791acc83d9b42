import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The member who sent an envelope is notified of how it ended, and of a code that reached no phone (ADR 0242). */
export class EnvelopeNotifications1764000007320 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(NOTIFY_SENDER);
  }

  async down(): Promise<void> {
    throw new Error('migrations go forward: restore a backup instead');
  }
}

/**
 * Whatever ends an envelope adds an event to its trail, in the same transaction: a request, a sweep, or the sealing of many at once. The
 * first event says who sent it. notify_of_envelope asks whose transaction it is, and sweeps are of no tenant.
 */
const NOTIFY_SENDER = `
  create function signing.notify_sender() returns trigger
  language plpgsql security definer set search_path = signing, pg_temp as $$
  declare
    v_by jsonb;
    v_title text;
    v_tenant constant text := coalesce(current_setting('app.tenant_id', true), '');
  begin
    select v.data::jsonb -> 'by' into v_by from envelope_event v where v.envelope_id = new.envelope_id and v.seq = 1;
    if v_by ->> 'kind' is distinct from 'member' then
      return null;
    end if;
    select c.name into v_title from envelope e join circuit c on c.id = e.circuit_id where e.id = new.envelope_id;
    perform set_config('app.tenant_id', new.tenant_id::text, true);
    perform platform_v1.notify_of_envelope(
      new.tenant_id,
      case new.type when 'envelope.sealed' then 'envelope_completed' when 'signer.declined' then 'envelope_declined'
                    when 'envelope.expired' then 'envelope_expired' when 'envelope.failed' then 'envelope_failed'
                    else 'envelope_code_undelivered' end,
      new.envelope_id, new.seq::text, (v_by ->> 'id')::uuid, v_title);
    perform set_config('app.tenant_id', v_tenant, true);
    return null;
  end $$;
  revoke all on function signing.notify_sender from public;
  create trigger envelope_event_notifies_sender after insert on signing.envelope_event
    for each row when (new.type in ('envelope.sealed', 'signer.declined', 'envelope.expired', 'envelope.failed', 'signer.otp_undelivered'))
    execute function signing.notify_sender()`;
