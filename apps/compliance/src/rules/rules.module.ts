import { Module } from '@nestjs/common';
import { AddRule } from './add-rule.ts';
import { ListRules } from './list-rules.ts';
import { ListRuleTemplates } from './list-templates.ts';
import { RemoveRule } from './remove-rule.ts';
import { ReplaceRule } from './replace-rule.ts';
import { SeedDefaults } from './seed-defaults.ts';

@Module({ controllers: [AddRule, ListRules, ReplaceRule, RemoveRule, SeedDefaults, ListRuleTemplates] })
export class RulesModule {}
