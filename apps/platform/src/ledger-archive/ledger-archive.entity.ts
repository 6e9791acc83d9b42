import { ArchivedFile } from '@constancia/archives';
import { Column, Entity } from 'typeorm';

/** A file with old entries of an account, which the ledger has no longer. */
@Entity({ schema: 'platform', name: 'ledger_archive' })
export class LedgerArchive extends ArchivedFile {
  @Column('bigint') balance_before: number;
  @Column('bigint') balance_after: number;
}
