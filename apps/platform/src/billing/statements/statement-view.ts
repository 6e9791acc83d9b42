import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { Balance, Moved, Statement, StatementUsage } from './statement.ts';

export class StatementBalance implements Balance {
  @ApiProperty({
    ...shape.signed,
    description: 'Credits that could be spent. Negative only after a reversal.',
    example: 960,
  })
  available: number;

  @ApiProperty({ ...shape.wide, description: 'Credits set aside for work under way.', example: 80 })
  held: number;
}

export class StatementMovement implements Moved {
  @ApiProperty({ ...shape.wide, description: 'How many entries.', example: 2 })
  count: number;

  @ApiProperty({ ...shape.wide, example: 5_000 })
  credits: number;
}

export class StatementUsageView implements StatementUsage {
  @ApiProperty({ ...shape.word, example: 'seal' })
  module: string;

  @ApiProperty({ ...shape.word, description: 'As in GET /v1/billing/prices.', example: 'signature' })
  operation: string;

  @ApiProperty({ ...shape.wide, description: 'How often it was charged.', example: 12 })
  count: number;

  @ApiProperty({ ...shape.wide, description: 'Credits charged, before refunds.', example: 480 })
  credits: number;

  @ApiProperty({ ...shape.wide, description: 'Credits given back in the month.', example: 40 })
  refunded: number;
}

export class StatementView implements Statement {
  @ApiProperty({
    pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$',
    maxLength: 7,
    description: 'In America/Bogota.',
    example: '2026-11',
  })
  month: string;

  @ApiProperty({
    enum: ['provisional', 'final'],
    description:
      '`provisional`: the month is not over; figures may still change. `final`: they do not change any more.',
  })
  status: Statement['status'];

  @ApiProperty({
    format: 'date-time',
    description: 'When the statement becomes final, or became it: an hour after the month.',
  })
  final_from: string;

  @ApiProperty({ type: StatementBalance, description: 'Before the first entry of the month.' })
  opening_balance: StatementBalance;

  @ApiProperty({ type: StatementMovement, description: 'Credits given by the operator of the service.' })
  grants: StatementMovement;

  @ApiProperty({ type: StatementMovement, description: 'Credits of payments, and of disputes that were won.' })
  top_ups: StatementMovement;

  @ApiProperty({
    type: StatementMovement,
    description: 'Credits taken back because a payment was refunded or charged back.',
  })
  reversals: StatementMovement;

  @ApiProperty({ ...shape.growing, type: [StatementUsageView], description: 'By module and operation.' })
  usage: StatementUsageView[];

  @ApiProperty({ ...shape.wide, description: 'Sum of `usage[].credits`.', example: 480 })
  used: number;

  @ApiProperty({ ...shape.wide, description: 'Sum of `usage[].refunded`.', example: 40 })
  refunded: number;

  @ApiProperty({ type: StatementBalance, description: 'After the last entry of the month.' })
  closing_balance: StatementBalance;
}
