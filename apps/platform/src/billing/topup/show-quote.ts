import { shape } from '@constancia/contracts';
import { ApiOptional, ApiProblems, RequireScope, type Tenant, CurrentTenant } from '@constancia/http';
import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { IsInt, IsString, Matches, Max, Min } from 'class-validator';
import { rateText } from '../trm/decimal.ts';
import { Quotes } from './quotes.ts';
import { MAX_AMOUNT_COP, MIN_AMOUNT_COP } from './topup-body.ts';
import { usdText } from './topup-view.ts';

export class QuoteQuery {
  @ApiProperty({ description: 'Whole pesos.', example: 100_000 })
  @IsInt()
  @Min(MIN_AMOUNT_COP)
  @Max(MAX_AMOUNT_COP)
  amount_cop: number;

  @ApiOptional({ description: 'Code of a bundle.', example: 'plus' })
  @IsString()
  @Matches(/^[a-z0-9_-]{1,32}$/)
  bundle?: string;
}

export class QuoteView {
  @ApiProperty({ ...shape.wide, example: 100_000 })
  amount_cop: number;

  @ApiProperty({ ...shape.wide, description: 'Credits, with the bonus.', example: 2_425 })
  amount_credits: number;

  @ApiProperty({ ...shape.wide })
  bonus_credits: number;

  @ApiProperty({ ...shape.text(32), type: String, nullable: true })
  bundle: string | null;

  @ApiProperty({ ...shape.text(32), description: 'Exchange rate, COP for a USD.', example: '4123.45' })
  trm_used: string;

  @ApiProperty({ format: 'date', description: 'First day of that rate.' })
  trm_valid_for: string;

  @ApiProperty({ ...shape.word, description: '`embedded` in a sandbox that has fetched no rate.', example: 'socrata' })
  trm_source: string;

  @ApiProperty({ ...shape.text(32), example: '0.01' })
  price_usd_per_credit: string;
}

export class BundleView {
  @ApiProperty({ ...shape.code, example: 'plus' })
  code: string;

  @ApiProperty({ ...shape.wide, description: 'The least amount.', example: 500_000 })
  min_amount_cop: number;

  @ApiProperty({ ...shape.count(100), description: 'Credits on top, in percent.', example: 5 })
  bonus_percent: number;
}

export class BundlesView {
  @ApiProperty({ type: [BundleView], maxItems: 20 })
  data: BundleView[];
}

/** GET /v1/billing/quote and /v1/billing/bundles: what an amount buys. */
@Controller('v1/billing')
@ApiTags('Billing')
export class ShowQuote {
  constructor(private readonly quotes: Quotes) {}

  @Get('quote')
  @RequireScope('billing:read')
  @ApiOperation({
    operationId: 'showQuote',
    summary: 'Show what an amount buys now',
    description: 'Creates nothing: a top-up is quoted again when it is created, at the exchange rate of that day.',
  })
  @ApiOkResponse({ type: QuoteView })
  @ApiProblems('validation-error', 'dependency-unavailable')
  async quote(@CurrentTenant() _tenant: Tenant, @Query() query: QuoteQuery): Promise<QuoteView> {
    const quote = await this.quotes.of(query, '/query');
    return {
      amount_cop: quote.amountCop,
      amount_credits: quote.amountCredits,
      bonus_credits: quote.bonusCredits,
      bundle: quote.bundle?.code ?? null,
      trm_used: rateText(quote.rate.value),
      trm_valid_for: quote.rate.validFrom,
      trm_source: quote.rate.source,
      price_usd_per_credit: usdText(quote.usdMicros),
    };
  }

  @Get('bundles')
  @RequireScope('billing:read')
  @ApiOperation({
    operationId: 'listBundles',
    summary: 'List the bundles',
    description: 'A bundle adds a bonus to top-ups from an amount on.',
  })
  @ApiOkResponse({ type: BundlesView })
  @ApiProblems()
  bundles(): BundlesView {
    return {
      data: this.quotes.bundles.map(({ code, minAmountCop, bonusPercent }) => ({
        code,
        min_amount_cop: minAmountCop,
        bonus_percent: bonusPercent,
      })),
    };
  }
}
