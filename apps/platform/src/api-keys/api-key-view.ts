import { type Scope, SCOPES, shape } from '@constancia/contracts';
import { PageOf } from '@constancia/http';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import type { KeyRow } from './api-keys.ts';

const KEY_ID = { ...shape.id('key'), example: 'key_01jd0g6v8rf2m9p4q5s6t7v8w9' };
const MOMENT = { type: String, format: 'date-time', nullable: true } as const;
const ADDRESS = { ...shape.text(45), type: String, nullable: true } as const;

export class KeyCreatorView {
  @ApiProperty({ enum: ['key', 'member'] })
  kind: string;

  @ApiProperty(shape.text(64))
  id: string;

  @ApiProperty({ ...shape.text(200), description: 'Its name at that time.' })
  name: string;
}

export class KeyRejectionsView {
  @ApiProperty(shape.wide)
  count: number;

  @ApiProperty(MOMENT)
  last_at: string | null;

  @ApiProperty(ADDRESS)
  last_ip: string | null;
}

/** An API key, without the key. */
export class KeyView {
  @ApiProperty({ ...KEY_ID, description: 'Stays the same when the key is rotated.' })
  id: string;

  @ApiProperty(shape.text(100))
  name: string;

  @ApiProperty({ pattern: '^(live|test)_[0-9A-Za-z]{4}$', description: 'How the key begins.', example: 'test_4fQz' })
  prefix: string;

  @ApiProperty({
    type: 'array',
    nullable: true,
    maxItems: SCOPES.length,
    items: { type: 'string', enum: [...SCOPES] },
    description: 'Null: every scope, also those of later releases (the default key).',
  })
  scopes: Scope[] | null;

  @ApiProperty({
    type: 'array',
    nullable: true,
    maxItems: 50,
    items: { type: 'string', ...shape.text(49) },
    description: 'Null: accepted from everywhere.',
  })
  allowed_cidrs: string[] | null;

  @ApiProperty({ enum: ['active', 'expired'] })
  status: string;

  @ApiProperty({ description: 'The key of the sign-up: it cannot be deleted or limited, only rotated.' })
  is_default: boolean;

  @ApiProperty({ ...MOMENT, description: 'Null: never.' })
  expires_at: string | null;

  @ApiProperty({ ...MOMENT, description: 'Until then the key that it replaced is accepted too.' })
  previous_key_expires_at: string | null;

  @ApiProperty({ type: KeyCreatorView, nullable: true, description: 'Null: the sign-up.' })
  created_by: KeyCreatorView | null;

  @ApiProperty({ format: 'date-time' })
  created_at: string;

  @ApiProperty({ ...MOMENT, description: 'When it was last replaced.' })
  rotated_at: string | null;

  @ApiProperty({ ...MOMENT, description: 'At most a minute and a half late.' })
  last_used_at: string | null;

  @ApiProperty(ADDRESS)
  last_used_ip: string | null;

  @ApiProperty({ description: 'Requests that were refused because they came from outside its networks.' })
  network_rejections: KeyRejectionsView;

  @ApiProperty({ ...shape.text(200), type: String, nullable: true })
  external_ref: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string', ...shape.text(500) }, maxProperties: 20 })
  metadata: Record<string, string>;

  static of(row: KeyRow): KeyView {
    return {
      id: typeId('key', row.key_id),
      name: row.name,
      prefix: row.prefix,
      scopes: row.scopes,
      allowed_cidrs: row.allowed_cidrs,
      status: row.is_expired ? 'expired' : 'active',
      is_default: row.is_default,
      expires_at: iso(row.expires_at),
      previous_key_expires_at: iso(row.grace_ends_at),
      created_by: row.created_by,
      created_at: row.first_created_at.toISOString(),
      rotated_at: row.id === row.key_id ? null : row.created_at.toISOString(),
      last_used_at: iso(row.used_at),
      last_used_ip: row.used_ip,
      network_rejections: { count: row.rejected, last_at: iso(row.rejected_at), last_ip: row.rejected_ip },
      external_ref: row.external_ref,
      metadata: row.metadata,
    };
  }
}

export class NewKeyView extends KeyView {
  @ApiProperty({ pattern: '^(live|test)_[0-9A-Za-z]{49}$', description: 'Shown in this answer only.' })
  api_key: string;
}

export class KeyPage extends PageOf(KeyView) {}

export class RotatedKeyView {
  @ApiProperty(KEY_ID)
  id: string;

  @ApiProperty({ pattern: '^(live|test)_[0-9A-Za-z]{49}$', description: 'Shown in this answer only.' })
  api_key: string;

  @ApiProperty({ format: 'date-time' })
  rotated_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The former key is accepted until then; equal to rotated_at without a grace.',
  })
  previous_key_expires_at: string;
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
