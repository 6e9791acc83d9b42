import { ApiPropertyOptional, ApiProperty } from '@nestjs/swagger';
import { IsInt, IsOptional, IsString, Matches, Max, MaxLength, Min } from 'class-validator';
import { CursorQuery } from '../validation/page.ts';

/**
 * Query of a list of the operators' API. A list's own filters extend it. It is no PageQuery: of a limit that two classes above a filter
 * state, both would hold.
 */
export class OpsPageQuery extends CursorQuery {
  @ApiPropertyOptional({ description: 'Items on a page', default: 50 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(500)
  limit: number = 50;
}

/** An operation that takes no query: an unknown parameter is refused. */
export class NoQuery {}

const LINE = /^(?=.*\S)[^\p{Cc}\p{Cs}]*$/u;

/** A text on one line, with at least one character that can be seen; PostgreSQL keeps no NUL, and half a character is none. */
export function IsLine(max: number): PropertyDecorator {
  const message = `must be a text of 1 to ${max} characters on one line`;
  return (target, property) => {
    Matches(LINE, { message })(target, property);
    MaxLength(max, { message })(target, property);
    IsString({ message })(target, property);
  };
}

/** What an act that touches money or a tenant's deliveries needs. */
export class ReasonBody {
  @ApiProperty({ description: 'Why: for anyone who reads the audit log.' })
  @IsLine(500)
  reason: string;
}
