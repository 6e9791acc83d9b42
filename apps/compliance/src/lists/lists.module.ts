import { Module } from '@nestjs/common';
import { PutInternalList } from './put-internal-list.ts';
import { ShowLists } from './show-lists.ts';

@Module({ controllers: [ShowLists, PutInternalList] })
export class ListsModule {}
