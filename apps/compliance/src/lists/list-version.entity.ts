import type { ListCode } from '@constancia/reference-data';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ListSize } from './import-guards.ts';

/** A version of a list. */
@Entity({ schema: 'compliance', name: 'list_version' })
export class ListVersion {
  @PrimaryColumn('uuid') id: string;
  @Column('text') list: ListCode;
  /** null: the operator's, whose entries are reference data and stay in the clear. */
  @Column('uuid', { nullable: true }) tenant_id: string | null;
  @Column('text') version: string;
  @Column('text') status: 'active' | 'superseded' | 'refused';
  @Column('uuid', { nullable: true }) previous_id: string | null;
  @Column('text') source_format: string;
  @Column('bytea') sha256: Buffer;
  @Column('jsonb') files: unknown;
  @Column('text') parser_version: string;
  @Column('text') matcher_version: string;
  @Column('integer') entries: number;
  @Column('integer') names: number;
  @Column('integer') aliases: number;
  @Column('jsonb') kinds: ListSize['kinds'];
  @Column('integer') added: number;
  @Column('integer') changed: number;
  @Column('integer') removed: number;
  @Column('jsonb') warnings: unknown;
  /** What the source says; null where it says nothing. */
  @Column('timestamptz', { nullable: true }) published_at: Date | null;
  @Column('timestamptz') imported_at: Date;
  /** When its file was last imported, be it unchanged. */
  @Column('timestamptz') checked_at: Date;
  @Column('timestamptz', { nullable: true }) superseded_at: Date | null;
  @Column('text') operator: string;
  @Column('boolean') forced: boolean;
  /** Ships with the product, for the sandbox: nobody real is on it. */
  @Column('boolean') fictional: boolean;
  @Column('jsonb', { nullable: true }) refusal: unknown | null;
}
