import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ClosingKind } from './closing-mail.ts';
import type { OwnerNoticeKind } from './owner-notice-mail.ts';
import type { SuspensionKind } from './suspension-mail.ts';

/** A mail to an owner that is to go out. */
@Entity({ schema: 'platform', name: 'owner_notice' })
export class OwnerNotice {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') kind:
    | OwnerNoticeKind
    | 'owner_email_proof'
    | 'owner_email_change'
    | 'owner_email_change_asked'
    | 'balance_low'
    | SuspensionKind
    | ClosingKind;
  @Column('text', { nullable: true }) detail: string | null;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz') due_at: Date;
  @Column('integer') attempts: number;
}
