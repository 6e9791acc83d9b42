import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import { PlatformConfig } from '../config.ts';
import { RegisteredOrigins } from '../registered-origins/registered-origins.ts';
import { EmbedOriginsRow } from './embed-origins.entity.ts';

/** The origins whose pages may show a tenant's embed sessions in a frame. */
@Injectable()
export class EmbedOrigins extends RegisteredOrigins {
  constructor({ environment }: PlatformConfig, database: Database) {
    super(environment, database, {
      row: EmbedOriginsRow,
      object: 'embed_origins',
      action: 'embed_origins.changed',
      registeredBy: 'PUT /tenants/{id}/embed-origins',
    });
  }
}
