import { ROLES, shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { RoleMap, Sso } from './sso.entity.ts';

export class SsoView {
  @ApiProperty({ ...shape.text(512), format: 'uri', example: 'https://login.notaria.example/realms/empleados' })
  issuer: string;

  @ApiProperty({ ...shape.text(255), example: 'constancia' })
  client_id: string;

  @ApiProperty({ type: [String], maxItems: 20, items: shape.text(253), example: ['notaria.example'] })
  domains: string[];

  @ApiProperty({ ...shape.text(200), type: 'string', nullable: true, example: 'groups' })
  role_claim: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string', enum: ROLES.filter((role) => role !== 'owner') },
    maxProperties: 100,
    nullable: true,
    example: { 'constancia-analysts': 'analyst' },
  })
  role_map: RoleMap | null;

  @ApiProperty({ description: 'Whether members have to sign in this way.', example: false })
  enforce: boolean;

  @ApiProperty({
    ...shape.text(600),
    format: 'uri',
    description: 'Register it at the provider as the redirect URI of the client.',
    example: 'https://console.example/console/sso/notaria/callback',
  })
  redirect_uri: string;

  @ApiProperty({
    ...shape.text(600),
    format: 'uri',
    description: 'Where members begin.',
    example: 'https://console.example/console/sso/notaria',
  })
  sign_in_url: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T15:04:05.678Z' })
  updated_at: string;

  static of(row: Sso, facts: Pick<SsoView, 'enforce' | 'redirect_uri' | 'sign_in_url'>): SsoView {
    const { issuer, client_id, domains, role_claim, role_map, updated_at } = row;
    return { issuer, client_id, domains, role_claim, role_map, ...facts, updated_at: updated_at.toISOString() };
  }
}
