import 'reflect-metadata';
import { OmitType } from '@nestjs/swagger';
import { plainToInstance, Type } from 'class-transformer';
import { IsString, ValidateNested, validateSync } from 'class-validator';

class Part {
  @IsString()
  role!: string;
}

class Whole {
  @IsString()
  code!: string;

  @IsString()
  name!: string;

  @ValidateNested({ each: true })
  @Type(() => Part)
  parts!: Part[];
}

class Derived extends OmitType(Whole, ['name']) {}

/** The members of a Derived that break its rules; those of its parts with their path. */
export const refused = (given: object): string[] =>
  validateSync(plainToInstance(Derived, given), { whitelist: true, forbidNonWhitelisted: true }).flatMap(
    ({ property, children }) =>
      children?.length
        ? children.flatMap(
            (part) => part.children?.map((rule) => `${property}/${part.property}/${rule.property}`) ?? [],
          )
        : [property],
  );
