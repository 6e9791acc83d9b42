import { Module } from '@nestjs/common';
import { ListsModule } from '../lists/lists.module.ts';
import { ListChanges } from './list-changes.ts';
import { ListVersions } from './list-versions.ts';

/** The effect of imports of the lists. */
@Module({ imports: [ListsModule], controllers: [ListVersions, ListChanges] })
export class ListHistoryModule {}
