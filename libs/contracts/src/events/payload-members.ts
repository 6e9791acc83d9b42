import type { IdPrefix } from '@constancia/kernel';
import { shape } from '../shapes.ts';

/** A member of an event's payload, as JSON Schema describes it. `nullable`: null where there is none. */
export interface PayloadMember {
  type: 'string' | 'integer' | 'object' | 'array';
  format?: string;
  description: string;
  nullable?: true;
  pattern?: string;
  maxLength?: number;
  enum?: readonly string[];
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  items?: object;
}

export const text = (description: string, limits: { pattern: string; maxLength: number }): PayloadMember => ({
  type: 'string',
  description,
  ...limits,
});
export const oneOf = (description: string, ...choices: string[]): PayloadMember => ({
  type: 'string',
  description,
  enum: choices,
});
export const id = (description: string, prefix: IdPrefix) => text(description, shape.id(prefix));
export const word = (description: string) => text(description, shape.word);
export const count = (description: string): PayloadMember => ({ ...shape.count(), description });
export const time = (description: string): PayloadMember => ({ type: 'string', format: 'date-time', description });
export const list = (description: string, maxItems: number, items: object): PayloadMember => ({
  type: 'array',
  description,
  maxItems,
  items,
});
export const orNull = (member: PayloadMember): PayloadMember => ({ ...member, nullable: true });

/** What the tenant stored with the object that an event is about. `when`: the end of a sentence, such as `the top-up was created with`. */
export const ownReference = (when: string) => ({
  external_ref: orNull(text(`The reference that ${when}.`, shape.text(200))),
  metadata: { type: 'object', description: `What ${when}.` } as const,
});
