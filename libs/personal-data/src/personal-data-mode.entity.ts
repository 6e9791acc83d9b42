import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Whether personal data is written sealed (personalDataSchema): one row. */
@Entity('personal_data_mode')
export class PersonalDataMode {
  @PrimaryColumn('boolean') only_row: boolean;
  @Column('text') mode: 'compatible' | 'sealed';
  @Column('timestamptz') changed_at: Date;
}
