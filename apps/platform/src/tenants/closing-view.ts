import { principalId } from '@constancia/auth';
import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { TenantClosing } from './tenant-closing.entity.ts';

export class ClosingRequesterView {
  @ApiProperty(shape.id('mbr'))
  id: string;

  @ApiProperty(shape.text(120))
  name: string;
}

/** The closing of a tenant, in the time in which it can be reconsidered. */
export class ClosingView {
  @ApiProperty({ format: 'date-time' })
  requested_at: string;

  @ApiProperty({ type: ClosingRequesterView })
  requested_by: ClosingRequesterView;

  @ApiProperty({ ...shape.text(500), type: String, nullable: true })
  reason: string | null;

  @ApiProperty({
    format: 'date-time',
    description: 'The tenant is closed within minutes after this moment, unless an owner reconsiders before.',
  })
  closes_at: string;

  static of(row: TenantClosing): ClosingView {
    const { requested_at: requestedAt, requested_by: id, requested_by_name: name, reason, closes_at: closesAt } = row;
    return {
      requested_at: requestedAt.toISOString(),
      requested_by: { id: principalId({ kind: 'member', id }), name },
      reason,
      closes_at: closesAt.toISOString(),
    };
  }
}
