import { Module } from '@nestjs/common';
import { ListsModule } from '../lists/lists.module.ts';
import { PreviewInternalList } from './preview-internal-list.ts';
import { PutInternalList } from './put-internal-list.ts';
import { ShowInternalList } from './show-internal-list.ts';

/** The list that a tenant keeps for itself. */
@Module({ imports: [ListsModule], controllers: [ShowInternalList, PutInternalList, PreviewInternalList] })
export class InternalListModule {}
