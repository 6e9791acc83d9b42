import { Module } from '@nestjs/common';
import { ChangeValidation } from './change-validation.ts';
import { CloneValidation } from './clone-validation.ts';
import { CompiledValidations } from './compiled-validations.ts';
import { CreateValidation } from './create-validation.ts';
import { DiscardValidation } from './discard-validation.ts';
import { GetValidation } from './get-validation.ts';
import { LintValidation } from './lint-validation.ts';
import { ListValidations } from './list-validations.ts';
import { PublishValidation } from './publish-validation.ts';
import { Validations } from './validations.ts';

@Module({
  controllers: [
    CreateValidation,
    ListValidations,
    GetValidation,
    ChangeValidation,
    CloneValidation,
    PublishValidation,
    LintValidation,
    DiscardValidation,
  ],
  providers: [Validations, CompiledValidations],
  exports: [CompiledValidations],
})
export class ValidationsModule {}
