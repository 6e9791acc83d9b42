import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An event type that a chain of the schema may hold (chainTypeTable). */
@Entity('chain_type')
export class ChainType {
  @PrimaryColumn('text') chain: string;
  @PrimaryColumn('text') type: string;
  @Column('boolean') across_tenants: boolean;
}
