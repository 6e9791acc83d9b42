import { shape } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { AuditEntryRow } from './audit-entry.entity.ts';

const MODULES = ['platform', 'identity', 'compliance', 'seal'] as const;
const ACTOR_KINDS = ['key', 'member', 'system'] as const;
/** What was stored for `data`: values that are documented per action in the guide. */
const VALUES = { type: 'object', additionalProperties: true, maxProperties: 50, nullable: true } as const;

export class AuditActorView {
  @ApiProperty({ enum: ACTOR_KINDS })
  kind: (typeof ACTOR_KINDS)[number];

  @ApiProperty({ ...shape.text(64), type: String, nullable: true, example: 'key_01jd0g6v8rf2m9p4q5s6t7v8w9' })
  id: string | null;

  @ApiProperty({ ...shape.text(200), description: 'The name of the key or of the member at that time.' })
  name: string;

  @ApiPropertyOptional({ ...shape.text(128), description: 'The person whom X-Actor named, for a key.' })
  on_behalf_of?: string;
}

export class AuditObjectView {
  @ApiProperty({ ...shape.word, example: 'api_key' })
  kind: string;

  @ApiProperty({ ...shape.text(64), type: String, nullable: true, description: 'Null where a tenant has only one.' })
  id: string | null;
}

export class AuditEntryView {
  @ApiProperty({ ...shape.ordinal, description: '1, 2, 3… without a gap.' })
  seq: number;

  @ApiProperty({ format: 'date-time' })
  at: string;

  @ApiProperty({ ...shape.eventType, example: 'api_key.created' })
  action: string;

  @ApiProperty({ enum: MODULES, description: 'The module that wrote the entry.' })
  module: (typeof MODULES)[number];

  @ApiProperty()
  actor: AuditActorView;

  @ApiProperty()
  object: AuditObjectView;

  @ApiProperty({ ...shape.text(64), type: String, nullable: true, description: 'The address of the request.' })
  origin: string | null;

  @ApiProperty({ ...VALUES, description: 'Values before the change, without personal data and secrets.' })
  before: Record<string, unknown> | null;

  @ApiProperty({ ...VALUES, description: 'Values after the change, without personal data and secrets.' })
  after: Record<string, unknown> | null;

  @ApiProperty(shape.sha256)
  prev_hash: string;

  @ApiProperty(shape.sha256)
  hash: string;

  static of(row: AuditEntryRow): AuditEntryView {
    const { before = null, after = null } = JSON.parse(row.data) as Partial<Pick<AuditEntryView, 'before' | 'after'>>;
    return {
      seq: row.seq,
      at: row.at.toISOString(),
      action: row.type,
      module: row.module,
      actor: {
        kind: row.actor_kind,
        id: row.actor_id,
        name: row.actor_name,
        ...(row.on_behalf_of !== null && { on_behalf_of: row.on_behalf_of }),
      },
      object: { kind: row.object_kind, id: row.object_id },
      origin: row.origin,
      before,
      after,
      prev_hash: row.prev_hash,
      hash: row.hash,
    };
  }
}

export class AuditPage extends PageOf(AuditEntryView) {}
