import { shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import type { Passkey } from './passkey.entity.ts';

const EXAMPLE = 'psk_01jd8x5tq2e5kvh3n0m9c7wz4r';

/** A key on a device of a member, with which they sign in to the console. */
export class PasskeyView {
  @ApiProperty({ ...shape.id('psk'), example: EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.text(60), example: 'Work laptop' })
  name: string;

  @ApiProperty({ description: 'Whether it is kept in an account, and so on several devices.', example: true })
  backed_up: boolean;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  created_at: string;

  @ApiProperty({ type: 'string', format: 'date-time', nullable: true, example: null })
  last_used_at: string | null;

  static of({ id, name, backed_up, created_at, last_used_at }: Passkey): PasskeyView {
    return {
      id: typeId('psk', id),
      name,
      backed_up,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    };
  }
}

export class PasskeyList {
  @ApiProperty({ type: [PasskeyView], maxItems: 10 })
  data: PasskeyView[];
}
