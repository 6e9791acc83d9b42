import { SecretBox } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import type { FieldValues } from './field-values.ts';

/** What signers have entered and not signed yet: sealed, one per signer. The store erases it (triggers of migration 1764000000400). */
@Injectable()
export class SignerDrafts {
  constructor(private readonly box: SecretBox) {}

  async keep(tx: Tx, tenantId: string, signerId: string, fields: FieldValues): Promise<void> {
    const sealed = this.box.seal(JSON.stringify(fields), signerDraftContext(signerId));
    await tx.query(
      `insert into signing.signer_draft (signer_id, tenant_id, sealed) values ($1, $2, $3)
       on conflict (signer_id) do update set sealed = excluded.sealed, updated_at = now()`,
      [signerId, tenantId, sealed],
    );
  }

  open(signerId: string, sealed: Buffer): FieldValues {
    return JSON.parse(this.box.open(sealed, signerDraftContext(signerId)).toString()) as FieldValues;
  }
}

/** Bound to the signer: a draft that is copied into another row does not open there. */
export function signerDraftContext(signerId: string): string {
  return `sign_draft:${signerId}`;
}
