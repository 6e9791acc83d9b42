import 'reflect-metadata';
import { OmitType } from '@nestjs/swagger';
import { plainToInstance, Type } from 'class-transformer';
import { IsString, ValidateNested, validateSync } from 'class-validator';

class Part {
  @IsString()
  code!: string;
}

class Whole {
  @IsString()
  code!: string;

  @ValidateNested({ each: true })
  @Type(() => Part)
  parts: Part[] = [];

  @IsString()
  name!: string;
}

class Derived extends OmitType(Whole, ['name']) {}

/** Whether the members of a Derived are of the classes that its parent says. */
export const isTyped = (): boolean =>
  plainToInstance(Derived, { code: 'c', parts: [{ code: 'p' }] }).parts[0] instanceof Part;

/** The members of a Derived that break its rules. */
export const refused = (given: object): string[] =>
  validateSync(Object.assign(new Derived(), given)).map(({ property }) => property);
