import { Module } from '@nestjs/common';
import { AddRule } from '../rules/add-rule.ts';
import { ListRules } from '../rules/list-rules.ts';
import { ListRuleTemplates } from '../rules/list-templates.ts';
import { RemoveRule } from '../rules/remove-rule.ts';
import { ReplaceRule } from '../rules/replace-rule.ts';
import { SeedDefaults } from '../rules/seed-defaults.ts';
import { BacktestValidation } from './backtest-validation.ts';
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
    BacktestValidation,
    AddRule,
    ListRules,
    ReplaceRule,
    RemoveRule,
    SeedDefaults,
    ListRuleTemplates,
  ],
})
export class ValidationsModule {}
