import { ApiProperty } from '@nestjs/swagger';

export class BalanceView {
  @ApiProperty({ type: 'integer', minimum: 0, description: 'Credits that can be spent.', example: 960 })
  available: number;

  @ApiProperty({ type: 'integer', minimum: 0, description: 'Credits set aside for work under way.', example: 0 })
  held: number;
}
