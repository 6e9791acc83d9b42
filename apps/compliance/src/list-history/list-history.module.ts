import { Module } from '@nestjs/common';
import { ListsModule } from '../lists/lists.module.ts';
import { ListChanges } from './list-changes.ts';
import { ListVersions } from './list-versions.ts';

/** What imports of the lists came to. */
@Module({ imports: [ListsModule], controllers: [ListVersions, ListChanges] })
export class ListHistoryModule {}
