import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Locale } from '../../locale.ts';

/** The sealed PDF of a month that is over. */
@Entity({ schema: 'platform', name: 'statement_document' })
export class StatementDocument {
  @PrimaryColumn('uuid') tenant_id: string;
  @PrimaryColumn('text') month: string;
  @PrimaryColumn('text') locale: Locale;
  @Column('bytea') pdf: Buffer;
  @Column('bytea') sha256: Buffer;
  @Column('timestamptz') sealed_at: Date;
}
