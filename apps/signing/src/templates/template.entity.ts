import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Where a merge value is drawn. PDF points; x, y: start of the baseline, from the lower-left corner as a viewer shows the page. */
export interface Placeholder {
  key: string;
  /** From 1. */
  page: number;
  x: number;
  y: number;
  /** Text size in points. */
  size: number;
  /** A request without a value for it is refused. Left out in templates from before there was a choice: false. */
  required?: boolean;
  /** Points. A wider value is drawn smaller until it fits. */
  max_width?: number;
}

/** What was found wrong with a template when it was uploaded. It does not refuse the template: the sealing run may fail. */
export interface TemplateWarning {
  code: string;
  detail: string;
}

/** A row of signing.template. Properties bear the names of the columns. After its upload a template is only archived or deleted. */
@Entity({ schema: 'signing', name: 'template' })
export class Template {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') code: string;
  @Column('text') name: string;
  /** The tenant's own reference and texts; not personal data. */
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('integer') version: number;
  @Column('bytea') sha256: Buffer;
  @Column('integer') size_bytes: number;
  @Column('text') storage_key: string;
  @Column('integer', { nullable: true }) page_count: number | null;
  @Column('jsonb') placeholders: Placeholder[];
  @Column('jsonb') warnings: TemplateWarning[];
  @Column('timestamptz') created_at: Date;
  /** Since when it takes no more requests. */
  @Column('timestamptz', { nullable: true }) archived_at: Date | null;
}
