import { ApiOptional, PageQuery } from '@constancia/http';
import { ValidationError } from '@constancia/problem-json';
import { ALL_LIST_CODES, type ListCode } from '@constancia/reference-data';
import { ApiProperty } from '@nestjs/swagger';
import { IsBoolean, IsIn } from 'class-validator';

/** Which list a page is about. */
export class ListQuery extends PageQuery {
  @ApiProperty({ enumName: 'ListCode', example: 'OFAC' })
  @IsIn(ALL_LIST_CODES)
  list: ListCode;

  @ApiOptional({
    default: false,
    description: 'true: the tenant’s own list, which is INTERNAL; false: the operator’s.',
  })
  @IsBoolean()
  own?: boolean;
}

/** Whose list is asked for: null is the operator. Throws ValidationError. */
export function ownerIn({ list, own = false }: ListQuery, tenantId: string): string | null {
  if (!own) return null;
  if (list === 'INTERNAL') return tenantId;
  throw new ValidationError([
    { pointer: '/query/own', code: 'not_allowed', detail: 'Only INTERNAL may be the tenant’s own.' },
  ]);
}
