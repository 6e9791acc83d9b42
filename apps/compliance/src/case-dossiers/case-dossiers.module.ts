import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { ListsModule } from '../lists/lists.module.ts';
import { ShowCase } from './show-case.ts';

/** A case as the page of one case shows it, with what other features know of it. */
@Module({ imports: [CasesModule, ListsModule], controllers: [ShowCase] })
export class CaseDossiersModule {}
