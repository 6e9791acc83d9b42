import { Module } from '@nestjs/common';
import { DisabledNotices } from './disabled-notices.ts';

@Module({ providers: [DisabledNotices] })
export class NoticesModule {}
