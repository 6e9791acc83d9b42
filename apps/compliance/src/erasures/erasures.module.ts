import { Module } from '@nestjs/common';
import { CreateErasure } from './create-erasure.ts';
import { GetErasure } from './get-erasure.ts';
import { ReadBlockedData } from './read-blocked-data.ts';

@Module({ controllers: [CreateErasure, GetErasure, ReadBlockedData] })
export class ErasuresModule {}
