import type { FieldCondition } from '@constancia/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** How a signer is authenticated; identity: with a document and the face, in a flow of the identity module. */
export const AUTH_METHODS = ['otp_email', 'otp_sms', 'otp_whatsapp', 'access_code', 'identity'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export const CIRCUIT_STATUSES = ['draft', 'published', 'deprecated'] as const;
export type CircuitStatus = (typeof CIRCUIT_STATUSES)[number];

export const FIELD_TYPES = ['signature', 'initials', 'name', 'date', 'text', 'checkbox'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** When a signer may look at the document: with the link alone, or only once authenticated. */
export const DOCUMENT_ACCESS = ['link', 'authenticated'] as const;
export type DocumentAccess = (typeof DOCUMENT_ACCESS)[number];

/** Names a flow of the identity module: its published version when the signer begins. */
export interface IdentityFlow {
  type: string;
  code: string;
}

/** A role of a circuit. Signers of the same order sign in parallel; a higher order waits for the lower ones. */
export interface CircuitSigner {
  role: string;
  /** What the signer proves, in this order. Never empty. */
  auth: AuthMethod[];
  order: number;
  /** The flow in which an identity is verified; there when `auth` has identity. */
  identity_flow?: IdentityFlow;
}

/** A box on the base PDF that one role fills in. Points; x, y: lower-left corner, from that of the page as a viewer shows it. */
export interface CircuitField {
  key: string;
  /** From 1. */
  page: number;
  x: number;
  y: number;
  width: number;
  height: number;
  type: FieldType;
  /** The role whose field it is, or SENDER. */
  signer: string;
  required: boolean;
  /** A value that the sender prefills cannot be changed by the signer. */
  locked?: true;
  visible_if?: FieldCondition;
  label?: string;
}

export interface CircuitWarning {
  code: string;
  detail: string;
}

/** A row of signing.circuit. The base PDF's columns are null, all together, until it is uploaded. */
@Entity({ schema: 'signing', name: 'circuit' })
export class Circuit {
  @PrimaryColumn('uuid') id: string;
  @Column('uuid') tenant_id: string;
  @Column('text') code: string;
  @Column('text') name: string;
  /** The tenant's own reference and texts; not personal data. */
  @Column('text', { nullable: true }) external_ref: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('integer') version: number;
  @Column('text') status: CircuitStatus;
  @Column('bytea', { nullable: true }) base_pdf_sha256: Buffer | null;
  @Column('text', { nullable: true }) base_pdf_key: string | null;
  @Column('integer', { nullable: true }) base_pdf_size: number | null;
  /** null also when the PDF cannot be read. */
  @Column('integer', { nullable: true }) page_count: number | null;
  @Column('jsonb') warnings: CircuitWarning[];
  @Column('jsonb') signers: CircuitSigner[];
  @Column('jsonb') fields: CircuitField[];
  @Column('text') document_access: DocumentAccess;
  /** The mail that says that all have signed carries the sealed PDF. */
  @Column('boolean') attach_document: boolean;
  @Column('timestamptz') created_at: Date;
  @Column('timestamptz', { nullable: true }) published_at: Date | null;
}
