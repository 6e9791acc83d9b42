import type { PersonLocale } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A row of identity.capture: how a hosted session is taken on the capture page. */
@Entity({ schema: 'identity', name: 'capture' })
export class Capture {
  @PrimaryColumn('uuid') session_id: string;
  @Column('uuid') tenant_id: string;
  /** Who asks, for the person. */
  @Column('text') tenant_name: string;
  @Column('text', { nullable: true }) return_url: string | null;
  @Column('text') locale: PersonLocale;
  /** The token of the device that has the session. */
  @Column('uuid') active_token: string;
  /** How many were asked for. */
  @Column('integer') handovers: number;
}
