import { shape } from '@constancia/contracts';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsString, Length, Matches } from 'class-validator';
import { IsMetadata, METADATA } from './metadata.ts';
import { ApiOptional } from './optional.ts';

/** Characters of an `external_ref`. */
export const EXTERNAL_REF_LENGTH = 200;
const EXAMPLE = 'customer-417';
const METADATA_SCHEMA = {
  type: 'object',
  additionalProperties: { type: 'string', ...shape.text(METADATA.valueLength) },
  maxProperties: METADATA.members,
} as const;

/** `external_ref` of a body, or of the query of a list, which describes it. */
export function ExternalRef(
  description = 'Your own reference, included in answers and events. Put no personal data here.',
): PropertyDecorator {
  return applyDecorators(
    ApiOptional({ description, example: EXAMPLE }),
    IsString(),
    Length(1, EXTERNAL_REF_LENGTH),
    Matches(new RegExp(shape.text(EXTERNAL_REF_LENGTH).pattern)),
  );
}

/** `metadata` of a body. */
export function Metadata(): PropertyDecorator {
  const description = `Up to ${METADATA.members} texts of your own, included in answers and events: names up to ${METADATA.nameLength} characters. Put no personal data here.`;
  return applyDecorators(ApiOptional({ ...METADATA_SCHEMA, description }), IsMetadata());
}

/** What a caller stored with an object, in its answers. */
export class OwnReferenceView {
  @ApiProperty({ ...shape.text(EXTERNAL_REF_LENGTH), type: String, nullable: true, example: EXAMPLE })
  external_ref: string | null;

  @ApiProperty(METADATA_SCHEMA)
  metadata: Record<string, string>;
}
