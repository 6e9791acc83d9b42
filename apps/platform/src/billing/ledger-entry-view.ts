import { PageOf } from '@constancia/http';
import { shape } from '@constancia/contracts';
import type { ArchivedBefore, StatementLine } from '@constancia/credit-ledger';
import { type IdPrefix, typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';

const KINDS = ['grant', 'debit', 'refund', 'hold', 'capture', 'release', 'topup', 'reversal'] as const;

/** How the id of a business object is written at the edge; a tenant's is a plain UUID. */
const PREFIX_OF: Record<string, IdPrefix> = {
  signature: 'sig',
  envelope: 'env',
  screening: 'scr',
  step_run: 'stp',
  topup: 'top',
};

export class LedgerEntryView {
  @ApiProperty({ pattern: '^led_[0-7][0-9a-hjkmnp-tv-z]{25}$' })
  id: string;

  @ApiProperty({ ...shape.wide, minimum: 1, description: 'Without gaps per tenant.' })
  seq: number;

  @ApiProperty({ enum: KINDS })
  kind: StatementLine['kind'];

  @ApiProperty({ ...shape.signed, description: 'Effect on the available balance, signed.', example: -40 })
  amount: number;

  @ApiProperty({
    ...shape.signed,
    description: 'Available balance after this entry. A reversal can make it negative.',
    example: 960,
  })
  balance_after: number;

  @ApiProperty({ ...shape.word, description: 'Kind of object that the entry is for.', example: 'signature' })
  ref_type: string;

  @ApiProperty({ ...shape.text(128), description: 'Its identifier.', example: 'sig_01jd3v4x5pfqk8a9s7b2m0c1de' })
  ref_id: string;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static of(entry: StatementLine): LedgerEntryView {
    const prefix = PREFIX_OF[entry.ref_type];
    return {
      id: typeId('led', entry.id),
      seq: entry.seq,
      kind: entry.kind,
      amount: entry.amount,
      balance_after: entry.balance_after,
      ref_type: entry.ref_type,
      ref_id: prefix ? typeId(prefix, entry.ref_id) : entry.ref_id,
      created_at: entry.created_at.toISOString(),
    };
  }
}

export class LedgerPage extends PageOf(LedgerEntryView, {
  data: 'Newest first.',
  cursor: 'Send it as cursor for the next page; null on the last one.',
}) {
  @ApiProperty({
    ...shape.wide,
    type: Number,
    nullable: true,
    description:
      'Entries up to this `seq` are archived; null when none are. The export of the tenant names their files.',
  })
  archived_through_seq: number | null;

  @ApiProperty({
    format: 'date-time',
    type: String,
    nullable: true,
    description: 'When the newest of them was made.',
  })
  archived_until: string | null;

  static of(page: Pick<LedgerPage, 'data' | 'next_cursor'>, archive: ArchivedBefore | null): LedgerPage {
    return {
      ...page,
      archived_through_seq: archive?.through_seq ?? null,
      archived_until: archive?.last_at.toISOString() ?? null,
    };
  }
}
