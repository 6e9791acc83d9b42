import { EVENT_MODULES, type EventModule, type Operation, OPERATIONS, shape } from '@constancia/contracts';
import { AnyScope, ApiProblems } from '@constancia/http';
import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';

const CHARGED = ['at_once', 'on_decision'] as const satisfies Operation['charged'][];

export class PriceView {
  @ApiProperty({ enum: EVENT_MODULES, example: 'seal' })
  module: EventModule;

  @ApiProperty({ ...shape.word, description: 'As in GET /v1/billing/usage.', example: 'signature' })
  operation: string;

  @ApiProperty({ ...shape.count(), description: 'Credits for each.', example: 40 })
  credits: number;

  @ApiProperty({
    enum: CHARGED,
    description:
      '`at_once`: debited together with the result. `on_decision`: held first, spent once there is a decision, and given back otherwise.',
  })
  charged: Operation['charged'];

  @ApiProperty({ description: 'false: the operation has a price and is not offered yet.' })
  available: boolean;
}

export class PriceList {
  @ApiProperty({ type: [PriceView], maxItems: OPERATIONS.length })
  data: PriceView[];
}

/** GET /v1/billing/prices */
@Controller('v1/billing/prices')
@ApiTags('Billing')
export class ListPrices {
  @Get()
  @AnyScope()
  @ApiOperation({
    operationId: 'listPrices',
    summary: 'List what each operation costs',
    description: 'In credits, for each module and operation. Everything that is not listed is free.',
  })
  @ApiOkResponse({ type: PriceList })
  @ApiProblems()
  handle(): PriceList {
    const data = OPERATIONS.map(({ module, operation, credits, charged, available }) => {
      return { module, operation, credits, charged, available };
    });
    return { data };
  }
}
