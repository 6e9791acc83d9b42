import { Entity, PrimaryColumn } from 'typeorm';

/** What a case is looked up by: the code of a list that it has a hit on, or one of its `name_words`. Written by a trigger. */
@Entity({ schema: 'compliance', name: 'case_term' })
export class CaseTerm {
  @PrimaryColumn('uuid') tenant_id: string;
  @PrimaryColumn('text') term: string;
  @PrimaryColumn('uuid') case_id: string;
}
