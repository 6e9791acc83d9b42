import { AuditLog, changedValues } from '@constancia/auth';
import type { Principal } from '@constancia/http';
import { SigningKms } from '@constancia/kms';
import { Database, type Tx } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { SigningKey } from '../signing-keys/signing-key.entity.ts';
import { SigningSettingsRow } from './signing-settings.entity.ts';
import { type SigningSettingsBody, SigningSettingsView } from './signing-settings-view.ts';
import { keyOfAnother, usableKey } from './usable-key.ts';

const ALGORITHM = 'RSASSA_PKCS1_V1_5_SHA_256';

/** Which key a tenant's documents are sealed with from now on. */
@Injectable()
export class SigningSettings {
  constructor(
    private readonly database: Database,
    private readonly kms: SigningKms,
  ) {}

  show(tenantId: string): Promise<SigningSettingsView> {
    return this.database.tenant(tenantId, (tx) => shownSettings(tx, tenantId));
  }

  /** Throws ValidationError and DependencyUnavailable; then nothing is changed. */
  async put(principal: Principal, body: SigningSettingsBody, origin: string): Promise<SigningSettingsView> {
    const tenantId = principal.tenant.id;
    const { key, identity } = await usableKey(this.kms, tenantId, body);
    const params = [
      ...[body.kms_key, Buffer.from(key.fingerprint, 'hex'), key.keyArn, ALGORITHM, key.pem],
      ...[identity.certificateDer, identity.chainDer],
    ];
    return this.changed(principal, 'signing_settings.changed', origin, async (tx) => {
      const [row] = await tx.query<{ own: boolean }>(
        'select signing.put_signing_settings($1, $2, $3, $4, $5, $6, $7) as own',
        params,
      );
      if (!row?.own) throw keyOfAnother();
    });
  }

  async remove(principal: Principal, origin: string): Promise<void> {
    await this.changed(principal, 'signing_settings.deleted', origin, (tx) =>
      tx.query('select signing.delete_signing_settings()'),
    );
  }

  /** An entry of the audit log, unless nothing is different afterwards. */
  private changed(
    principal: Principal,
    action: 'signing_settings.changed' | 'signing_settings.deleted',
    origin: string,
    change: (tx: Tx) => Promise<unknown>,
  ): Promise<SigningSettingsView> {
    const { tenant } = principal;
    return this.database.tenant(tenant.id, async (tx) => {
      const before = await shownSettings(tx, tenant.id);
      await change(tx);
      const after = await shownSettings(tx, tenant.id);
      const values = changedValues(audited(before), audited(after));
      if (Object.keys(values.after).length === 0) return after;
      const object = { kind: 'signing_settings', id: null };
      await AuditLog.record(tx, { principal, action, object, ...values, origin });
      return after;
    });
  }
}

/** As GET /v1/signing-settings shows them. */
export async function shownSettings({ manager }: Tx, tenantId: string): Promise<SigningSettingsView> {
  const row = await manager.findOneBy(SigningSettingsRow, { tenant_id: tenantId });
  const key = row && (await manager.findOneBy(SigningKey, { fingerprint: row.fingerprint, tenant_id: tenantId }));
  return SigningSettingsView.of(tenantId, row, key);
}

/** Of a chain, whose certificates are public, what tells them apart. */
const audited = ({ kms_key, key_arn, fingerprint, certificates, valid_to }: SigningSettingsView) => ({
  kms_key,
  key_arn,
  fingerprint,
  valid_to,
  certificates: certificates.map(({ subject, issuer, valid_to: end }) => ({ subject, issuer, valid_to: end })),
});
