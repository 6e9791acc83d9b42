import type { Tx } from '@constancia/persistence';
import { invitationDedupe, type SignerMails } from '../mails/signer-mails.ts';
import { updateSigner } from '../envelope-records/envelope-changes.ts';
import { firstReminderAt } from '../envelope-records/reminders.ts';
import type { EnvelopeRow, SignerRow } from '../envelope-records/envelope-rows.ts';

/**
 * Lets the signers of the next order sign once everyone before them has: waiting → pending, with their invitations. Call it after a
 * signer became `signed`, with the signers as they are then; answers those that may sign now. Changes nothing while somebody of the
 * present order has not signed.
 */
export async function openNextOrder(
  tx: Tx,
  mails: SignerMails,
  envelope: EnvelopeRow,
  signers: readonly SignerRow[],
): Promise<SignerRow[]> {
  const present = Math.min(...signers.filter(({ status }) => status !== 'signed').map(({ ord }) => ord));
  const reminder_due_at = firstReminderAt(envelope.reminders, new Date());
  const opened: SignerRow[] = [];
  for (const signer of signers.filter(({ ord, status }) => ord === present && status === 'waiting')) {
    opened.push(await updateSigner(tx, signer, { status: 'pending', reminder_due_at }));
    if (envelope.notify) {
      const dedupe = invitationDedupe(signer);
      await mails.enqueue(tx, { kind: 'invitation', envelope, signer, dedupe, whenFull: 'wait' });
    }
  }
  return opened;
}
