import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';

export class BalanceView {
  @ApiProperty({ ...shape.wide, description: 'Credits that can be spent.', example: 960 })
  available: number;

  @ApiProperty({ ...shape.wide, description: 'Credits set aside for work under way.', example: 0 })
  held: number;
}
