import { shape } from '@constancia/contracts';
import { typeId } from '@constancia/kernel';
import { ApiProperty } from '@nestjs/swagger';
import {
  ATTACHMENT_BYTES,
  ATTACHMENT_TYPES,
  type AttachmentType,
  MOST_ATTACHMENTS,
} from '../case-records/attachment-types.ts';
import type { OpenAttachment } from './stored-attachments.ts';

export const ATTACHMENT_ID_EXAMPLE = 'caf_01m7z6fvqcergtyhm27t5fxcy2';

/** A file that was attached to a case. */
export class CaseAttachmentView {
  @ApiProperty({ ...shape.id('caf'), example: ATTACHMENT_ID_EXAMPLE })
  id: string;

  @ApiProperty({ ...shape.text(200), example: 'cédula.pdf' })
  name: string;

  @ApiProperty({ enum: ATTACHMENT_TYPES, enumName: 'AttachmentType', example: 'application/pdf' })
  media_type: AttachmentType;

  @ApiProperty({ type: 'integer', minimum: 1, maximum: ATTACHMENT_BYTES, example: 48_213 })
  size_bytes: number;

  @ApiProperty({
    ...shape.sha256,
    description: 'Of the bytes, hex: the event `attached` of the timeline has the same.',
  })
  sha256: string;

  @ApiProperty({ ...shape.text(128), description: 'Who attached it, as the timeline says it.', example: 'ana.analyst' })
  attached_by: string;

  @ApiProperty({ format: 'date-time' })
  attached_at: string;

  static of(attachment: OpenAttachment): CaseAttachmentView {
    const { id, name, media_type, size_bytes, sha256, attached_by, attached_at } = attachment;
    return {
      id: typeId('caf', id),
      name,
      media_type,
      size_bytes,
      sha256: sha256.toString('hex'),
      attached_by,
      attached_at: attached_at.toISOString(),
    };
  }
}

export class CaseAttachmentList {
  @ApiProperty({ maxItems: MOST_ATTACHMENTS, type: [CaseAttachmentView], description: 'The oldest first.' })
  data: CaseAttachmentView[];
}
