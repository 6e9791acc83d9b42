import type { Tx } from '@constancia/persistence';
import { isTextMethod } from '../circuits/text-methods.ts';
import type { SignerRow } from '../envelope-records/envelope-rows.ts';
import type { LeasedMail } from './claimed-mail.ts';

/** Gives the lease back and writes why (`note`: columns, values from $3 on). Answers how many rows were still ours: 0 or 1. */
export async function releaseMail(tx: Tx, mail: LeasedMail, note: string, values: readonly unknown[]): Promise<number> {
  const rows = await tx.query(
    `update signing.signer_mail set ${note}, lease_token = null, lease_until = null
      where id = $1 and lease_token = $2 returning 1`,
    [mail.id, mail.lease_token, ...values],
  );
  return rows.length;
}

/** Whom an event about the mail is about. */
export const aboutSigner = ({ tenant_id, envelope_id, signer_id, role }: LeasedMail) => ({
  ...{ tenantId: tenant_id, envelopeId: envelope_id },
  signer: { id: signer_id, role } satisfies Pick<SignerRow, 'id' | 'role'>,
});

export const isCode = ({ kind }: LeasedMail): boolean => kind === 'otp' || isTextMethod(kind);
