import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { FieldConditionView } from '../circuits/circuit-view.ts';
import { type CircuitField, FIELD_TYPES, type FieldType } from '../circuits/circuit.entity.ts';
import type { FieldValues } from './field-values.ts';
import type { SignerFacts } from './found-signer.ts';

/** A field as its signer sees it. */
export class OwnFieldView {
  @ApiProperty({ ...shape.fieldKey, example: 'borrower_signature' })
  key: string;

  @ApiProperty({ enum: FIELD_TYPES, enumName: 'FieldType', description: 'What is filled in there.' })
  type: FieldType;

  @ApiProperty(shape.ordinal)
  page: number;

  @ApiProperty({ description: 'Points, from the lower-left corner of the page to that of the box.' })
  x: number;

  @ApiProperty()
  y: number;

  @ApiProperty()
  width: number;

  @ApiProperty()
  height: number;

  @ApiProperty({ description: 'Of a checkbox: it must be ticked.' })
  required: boolean;

  @ApiProperty({ ...shape.text(200), type: 'string', nullable: true })
  label: string | null;

  @ApiProperty({
    type: () => FieldConditionView,
    nullable: true,
    description: 'Shown, required and sent only while another of the own fields has this value. null: always.',
  })
  visible_if: FieldConditionView | null;

  @ApiProperty({
    oneOf: [{ type: 'string', ...shape.text(2000) }, { type: 'boolean' }],
    nullable: true,
    description:
      'What the sender suggests, and what is signed when the field is left out; null without a proof of authentication.',
  })
  prefilled: string | boolean | null;

  @ApiProperty({ description: 'The prefilled value cannot be changed.' })
  locked: boolean;

  @ApiProperty({
    oneOf: [{ type: 'string', ...shape.text(2000) }, { type: 'boolean' }],
    nullable: true,
    description:
      'What was filled in; null before, for signatures, without a proof of authentication, and once the envelope is sealed.',
  })
  value: string | boolean | null;

  /** `known`: what was filled in and what the sender suggests; null without a proof of authentication. */
  static of(field: CircuitField, known: Pick<SignerFacts, 'field_values' | 'prefilled'> | null): OwnFieldView {
    const { key, type, page, x, y, width, height, required, label, visible_if, locked } = field;
    const valueIn = (values: FieldValues = {}) => (Object.hasOwn(values, key) ? (values[key] ?? null) : null);
    const prefilled = valueIn(known?.prefilled);
    return {
      ...{ key, type, page, x, y, width, height, required },
      label: label ?? null,
      visible_if: visible_if ?? null,
      prefilled,
      locked: locked === true && prefilled !== null,
      value: valueIn(known?.field_values),
    };
  }
}
