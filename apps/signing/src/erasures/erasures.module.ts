import { Module } from '@nestjs/common';
import { CreateErasure } from './create-erasure.ts';
import { GetErasure } from './get-erasure.ts';

@Module({ controllers: [CreateErasure, GetErasure] })
export class ErasuresModule {}
