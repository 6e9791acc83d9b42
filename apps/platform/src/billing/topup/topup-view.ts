import { shape } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import { rateText } from '../trm/decimal.ts';
import { TOPUP_STATUSES, type TopupStatus } from './topup-state.ts';
import type { Topup } from './topup.entity.ts';

const USD_MICROS = 1_000_000;

/** The price of a credit in USD, as a decimal text. */
export const usdText = (micros: number): string => (micros / USD_MICROS).toFixed(6).replace(/0{1,4}$/, '');

export class TopupView {
  @ApiProperty(shape.id('top'))
  id: string;

  @ApiProperty({ ...shape.text(256), description: "The checkout, by the provider's id." })
  preference_id: string;

  @ApiProperty({ format: 'uri', description: 'Send the payer here.' })
  init_point: string;

  @ApiProperty({ format: 'date-time', description: 'Until when the payer can begin to pay.' })
  expires_at: string;

  @ApiProperty({
    enum: TOPUP_STATUSES,
    description:
      'pending: not paid yet. credited: paid. rejected: refused by the provider; the payer may try again. expired: nobody paid in time. ' +
      'amount_mismatch: another amount was paid; it is not credited. part_reversed, reversed: given back in part or as a whole, or charged back.',
  })
  status: TopupStatus;

  @ApiProperty({ ...shape.wide, example: 100_000 })
  amount_cop: number;

  @ApiProperty({ ...shape.wide, description: 'Credits that it buys, with the bonus.', example: 2_425 })
  amount_credits: number;

  @ApiProperty({ ...shape.wide, description: 'How many of them are the bonus of the bundle.' })
  bonus_credits: number;

  @ApiProperty({ ...shape.wide, description: 'Credits that it has brought to the balance so far.' })
  credited_credits: number;

  @ApiProperty({ ...shape.text(32), description: 'Exchange rate of the quote, COP for a USD.', example: '4123.45' })
  trm_used: string;

  @ApiProperty({ format: 'date', description: 'First day of that rate.' })
  trm_valid_for: string;

  @ApiProperty({ ...shape.word, description: '`embedded` in a sandbox that has fetched no rate.', example: 'socrata' })
  trm_source: string;

  @ApiProperty({ ...shape.text(32), example: '0.01' })
  price_usd_per_credit: string;

  @ApiProperty({ ...shape.text(32), type: String, nullable: true })
  bundle: string | null;

  @ApiProperty({ ...shape.text(2_000), type: String, nullable: true })
  return_url: string | null;

  @ApiProperty({ ...shape.text(200), type: String, nullable: true })
  external_ref: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', ...shape.text(500) } })
  metadata: Record<string, string>;

  @ApiProperty({ format: 'date-time', type: String, nullable: true, description: 'When it was credited first.' })
  credited_at: string | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  static of(topup: Topup): TopupView {
    return {
      id: typeId('top', topup.id),
      preference_id: topup.preference_id,
      init_point: topup.init_point,
      expires_at: topup.expires_at.toISOString(),
      status: topup.status,
      amount_cop: topup.amount_cop,
      amount_credits: topup.amount_credits,
      bonus_credits: topup.bonus_credits,
      credited_credits: topup.applied_credits,
      trm_used: rateText(topup.trm),
      trm_valid_for: topup.trm_valid_for,
      trm_source: topup.trm_source,
      price_usd_per_credit: usdText(topup.usd_micros),
      bundle: topup.bundle,
      return_url: topup.return_url,
      external_ref: topup.external_ref,
      metadata: topup.metadata,
      credited_at: topup.credited_at?.toISOString() ?? null,
      created_at: topup.created_at.toISOString(),
    };
  }
}

export class TopupPage extends PageOf(TopupView) {}
