import { Module } from '@nestjs/common';
import { TrailArchives } from './trail-archives.ts';

/** Trails of envelopes that ended long ago, as files in the object store. */
@Module({ providers: [TrailArchives], exports: [TrailArchives] })
export class TrailArchiveModule {}
