import { Entity } from 'typeorm';
import { OriginsRow } from '../registered-origins/origins-row.ts';

/** The origins whose pages may show a tenant's embed sessions in a frame. */
@Entity({ schema: 'platform', name: 'embed_origins' })
export class EmbedOriginsRow extends OriginsRow {}
