import { Entity } from 'typeorm';
import { OriginsRow } from '../../registered-origins/origins-row.ts';

/** The origins that payers of a tenant may be sent back to. */
@Entity({ schema: 'platform', name: 'return_origins' })
export class ReturnOriginsRow extends OriginsRow {}
