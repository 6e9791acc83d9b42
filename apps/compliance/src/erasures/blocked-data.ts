import type { Acting } from '@constancia/contracts';
import { AuditLog } from '@constancia/auth';
import type { Principal } from '@constancia/http';
import { typeId, uuidv7 } from '@constancia/kernel';
import { Database, type Tx } from '@constancia/persistence';
import { PersonalData, type TenantKeyring } from '@constancia/personal-data';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import {
  blockedAttachments,
  blockedAttachmentWithBytes,
  type OpenAttachment,
  type OpenFile,
} from '../case-attachments/stored-attachments.ts';
import { type StoredCase, WRAPPED_KEY } from '../case-records/case-secrets.ts';
import type { CaseFile } from '../cases/case-files.ts';
import { Cases } from '../cases/cases.ts';
import { ArchivedScreenings } from '../screenings/archive/archived-screenings.ts';
import { type MaybeSealed, openScreening, type ScreeningRow, SUBJECT_KEY } from '../screenings/sealed-screening.ts';
import { ErasureAccess } from './erasure-access.entity.ts';
import type { ErasureReceipt } from './erasure-receipt.entity.ts';
import { receiptById } from './erasure-receipts.ts';

/** The maximum number of items of each kind in one answer. */
export const MOST_BLOCKED = 1_000;

export interface BlockedReading extends Acting {
  principal: Principal;
  origin: string;
  /** UUID. */
  receiptId: string;
  reason: string;
}

export interface BlockedFile {
  screenings: ScreeningRow[];
  cases: CaseFile[];
  /** Of all of the cases. */
  attachments: OpenAttachment[];
}

/** Reads what erasures block. Who reads it and why is written first, in the same transaction. */
@Injectable()
export class BlockedData {
  constructor(
    private readonly database: Database,
    private readonly personal: PersonalData,
    private readonly archived: ArchivedScreenings,
    private readonly cases: Cases,
  ) {}

  /** Throws NotFound: no such receipt, or its legal duty is over. */
  read(reading: BlockedReading): Promise<BlockedFile> {
    const tenantId = reading.principal.tenant.id;
    return this.noted(reading, async (tx, keyring, { covers }) => ({
      screenings: await this.screenings(tx, keyring, tenantId, covers),
      cases: await this.blockedCases(tx, keyring, tenantId, covers),
      attachments: await blockedAttachments(tx, keyring, tenantId, covers),
    }));
  }

  /** One file that is attached to a blocked case, by its UUID. Throws NotFound as `read` does, and for no such file. */
  readAttachment(reading: BlockedReading, id: string): Promise<OpenFile> {
    return this.noted(reading, async (tx, keyring, { covers: receipts }) => {
      const tenantId = reading.principal.tenant.id;
      const file = await blockedAttachmentWithBytes(tx, keyring, { tenantId, receipts, id });
      if (file === null) throw new NotFound('The receipt keeps no such file.');
      return file;
    });
  }

  /** The oldest first, archived ones too. */
  private async screenings(
    tx: Tx,
    keyring: TenantKeyring,
    tenantId: string,
    receipts: string[],
  ): Promise<ScreeningRow[]> {
    const archived = await this.archived.blocked(tx, keyring, { tenantId, receipts, limit: MOST_BLOCKED });
    const rows = await tx.query<ScreeningRow & MaybeSealed>(
      `select c.*, ${SUBJECT_KEY} from compliance.blocked_screenings($1, $2) c limit ${MOST_BLOCKED}`,
      [tenantId, receipts],
    );
    const stored = rows.filter(({ wrapped_key }) => wrapped_key !== null).map((row) => openScreening(keyring, row));
    const inOrder = [...archived, ...stored].sort((one, other) => (one.id < other.id ? -1 : 1));
    return inOrder.slice(0, MOST_BLOCKED);
  }

  private async blockedCases(
    tx: Tx,
    keyring: TenantKeyring,
    tenantId: string,
    receipts: string[],
  ): Promise<CaseFile[]> {
    const rows = await tx.query<StoredCase>(
      `select c.*, ${WRAPPED_KEY} from compliance.blocked_cases($1, $2) c limit ${MOST_BLOCKED}`,
      [tenantId, receipts],
    );
    const files: CaseFile[] = [];
    for (const row of rows) if (row.wrapped_key !== null) files.push(await this.cases.file(tx, keyring, row));
    return files;
  }

  private async noted<T>(
    { principal, origin, receiptId, actor, by, reason }: BlockedReading,
    read: (tx: Tx, keyring: TenantKeyring, receipt: ErasureReceipt) => Promise<T>,
  ): Promise<T> {
    const tenantId = principal.tenant.id;
    const keyring = await this.personal.tenant(tenantId);
    return this.database.tenant(tenantId, async (tx) => {
      const receipt = await receiptById(tx, tenantId, receiptId);
      if (!receipt) throw new NotFound('No such receipt.');
      if (receipt.ended_at !== null) throw new NotFound('The legal duty is over: the data was destroyed.');
      await tx.manager.insert(ErasureAccess, {
        id: uuidv7(),
        tenant_id: tenantId,
        receipt_id: receiptId,
        actor,
        reason,
      });
      const data = await read(tx, keyring, receipt);
      const object = { kind: 'erasure', id: typeId('rcp', receiptId) };
      await AuditLog.record(tx, {
        principal,
        onBehalfOf: by.on_behalf_of,
        action: 'blocked_data.read',
        object,
        origin,
      });
      return data;
    });
  }
}
