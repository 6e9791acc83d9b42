import { ChainedRow } from '@constancia/persistence';
import { Column, Entity } from 'typeorm';

/** Something that an operator did: the operators’ log, one chain. */
@Entity({ schema: 'platform', name: 'operator_act' })
export class OperatorAct extends ChainedRow {
  @Column('text', { nullable: true }) operator: string | null;
  @Column('text', { nullable: true }) tenant_id: string | null;
}
