import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What a tenant may require of every sign-in of its members. */
export const REQUIRED_METHODS = ['passkey', 'sso'] as const;
export type RequiredMethod = (typeof REQUIRED_METHODS)[number];

/** A row of platform.sign_in_settings. A tenant without one requires nothing. */
@Entity({ schema: 'platform', name: 'sign_in_settings' })
export class SignInSettingsRow {
  @PrimaryColumn('uuid') tenant_id: string;
  @Column('text', { nullable: true }) required_method: RequiredMethod | null;
}
