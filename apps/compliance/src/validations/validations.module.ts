import { Module } from '@nestjs/common';
import { ChangeValidation } from './change-validation.ts';
import { CloneValidation } from './clone-validation.ts';
import { CreateValidation } from './create-validation.ts';
import { GetValidation } from './get-validation.ts';
import { LintValidation } from './lint-validation.ts';
import { ListValidations } from './list-validations.ts';
import { PublishValidation } from './publish-validation.ts';

@Module({
  controllers: [
    CreateValidation,
    ListValidations,
    GetValidation,
    ChangeValidation,
    CloneValidation,
    PublishValidation,
    LintValidation,
  ],
})
export class ValidationsModule {}
