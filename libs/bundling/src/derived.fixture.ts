import 'reflect-metadata';
import { OmitType } from '@nestjs/swagger';
import { IsString, validateSync } from 'class-validator';

class Whole {
  @IsString()
  code!: string;

  @IsString()
  name!: string;
}

class Derived extends OmitType(Whole, ['name']) {}

/** The members of a Derived that break its rules. */
export const refused = (given: object): string[] =>
  validateSync(Object.assign(new Derived(), given)).map(({ property }) => property);
