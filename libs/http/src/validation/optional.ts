import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';

/** A member of a request that may be left out, as described. */
export function ApiOptional(options?: ApiPropertyOptions): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional(options), IsOptional());
}
