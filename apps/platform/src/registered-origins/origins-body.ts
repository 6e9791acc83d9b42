import { shape } from '@constancia/contracts';
import { ORIGIN_LENGTH } from '@constancia/http';
import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsString, MaxLength } from 'class-validator';

const MAX_ORIGINS = 20;

/** All origins of a tenant for one purpose. */
export class OriginsBody {
  @ApiProperty({
    example: ['https://app.example.com'],
    type: [String],
    description: 'All of them: the former are replaced.',
  })
  @IsArray()
  @ArrayMaxSize(MAX_ORIGINS)
  @IsString({ each: true })
  @MaxLength(ORIGIN_LENGTH, { each: true })
  origins: string[];
}

export class OriginsView {
  @ApiProperty({ type: 'array', maxItems: MAX_ORIGINS, items: { type: 'string', ...shape.text(ORIGIN_LENGTH) } })
  origins: string[];
}
