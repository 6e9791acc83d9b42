import { ApiProperty, ApiPropertyOptional, DECORATORS } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { expect, it } from 'vitest';
import { stateLimits } from './request-limits.ts';

class Part {
  @ApiProperty({ description: 'Its name.' })
  @IsString()
  @Length(1, 20)
  @Matches(/^[a-z]+$/)
  name: string;
}

class Filter {
  @ApiPropertyOptional({ default: 20 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;
}

class Whole extends Filter {
  @ApiProperty({ type: () => [Part] })
  @IsArray()
  @ArrayMaxSize(3)
  parts: Part[];

  @ApiProperty()
  @IsArray()
  @IsIn(['red', 'green'], { each: true })
  colours: string[];
}

const statementOf = (cls: { prototype: object }, name: string): unknown =>
  Reflect.getMetadata(DECORATORS.API_MODEL_PROPERTIES, cls.prototype, name);

it('states the limits of members, of items and of the classes of members', () => {
  stateLimits(Whole);
  expect(statementOf(Whole, 'parts')).toMatchObject({ maxItems: 3 });
  expect(statementOf(Whole, 'colours')).toMatchObject({
    type: 'array',
    items: { type: 'string', enum: ['red', 'green'] },
  });
  expect(statementOf(Part, 'name')).toMatchObject({
    description: 'Its name.',
    minLength: 1,
    maxLength: 20,
    pattern: '^[a-z]+$',
  });
});

it('states inherited limits, whichever class is documented first, and as often as one is', () => {
  stateLimits(Filter);
  stateLimits(Whole);
  stateLimits(Whole);
  expect(statementOf(Whole, 'limit')).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 20 });
});

it('refuses a limit that ApiProperty repeats', () => {
  class Repeated {
    @ApiProperty({ maxLength: 20 })
    @Length(1, 20)
    name: string;
  }
  expect(() => stateLimits(Repeated)).toThrow('Repeated.name: its rules state maxLength');
});

it('refuses a rule without a meaning in JSON Schema', () => {
  class Unknown {
    @ApiProperty()
    @ValidateBy({ name: 'isPrime', validator: { validate: () => true } })
    number: number;
  }
  expect(() => stateLimits(Unknown)).toThrow('the rule isPrime of Unknown');
});
