import { Module } from '@nestjs/common';
import { EmbedOrigins } from './embed-origins.ts';
import { PutEmbedOrigins } from './put-embed-origins.ts';

/** Which pages may show ours in a frame. */
@Module({ controllers: [PutEmbedOrigins], providers: [EmbedOrigins] })
export class EmbedOriginsModule {}
