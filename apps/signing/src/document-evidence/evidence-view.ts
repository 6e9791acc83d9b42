import { shape } from '@constancia/contracts';
import { ApiProperty } from '@nestjs/swagger';
import type { DocumentEvidence } from '../evidence/document-evidence.entity.ts';
import type { DocumentRevision } from '../evidence/document-revision.entity.ts';

export const EVIDENCE_LEVELS = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;
export type EvidenceLevel = (typeof EVIDENCE_LEVELS)[number];
const nullable = { type: 'string', nullable: true } as const;

export class RevisionView {
  @ApiProperty({
    type: 'integer',
    minimum: 1,
    maximum: 100_000,
    description: '1: the first after the seal.',
    example: 1,
  })
  number: number;

  @ApiProperty({ enum: ['B-LT', 'B-LTA'], example: 'B-LTA' })
  level: 'B-LT' | 'B-LTA';

  @ApiProperty({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of this file, hex.' })
  document_sha256: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T16:04:07.012Z' })
  created_at: string;
}

/** For how long a sealed document can be verified, and until when that is extended. */
export class EvidenceView {
  @ApiProperty({
    enum: EVIDENCE_LEVELS,
    description:
      'PAdES baseline level of the newest file. B-B: a signature. B-T: with a time-stamp. B-LT: with what shows that the certificates were ' +
      'valid. B-LTA: with a time-stamp over all of that, which is renewed.',
    example: 'B-LTA',
  })
  level: EvidenceLevel;

  @ApiProperty({
    ...nullable,
    format: 'date-time',
    description:
      'When the next revision is due: the first an hour after the seal, later ones before the last time-stamp ends. In the past while it ' +
      'is waited for. Null: none will be made.',
    example: '2036-10-21T16:04:07.012Z',
  })
  next_at: string | null;

  @ApiProperty({
    ...shape.text(40),
    ...nullable,
    description: 'What the next revision waited for when it was tried last, such as `evidence` or `timestamps`.',
  })
  last_setback: string | null;

  @ApiProperty({
    type: () => [RevisionView],
    maxItems: 1_000,
    description: 'The files that long-term evidence made of the document, the first one first.',
  })
  revisions: RevisionView[];

  static of(level: EvidenceLevel, due: DocumentEvidence | null, revisions: readonly DocumentRevision[]): EvidenceView {
    return {
      level,
      next_at: due && Number.isFinite(Number(due.due_at)) ? due.due_at.toISOString() : null,
      last_setback: due?.last_setback ?? null,
      revisions: revisions.map(({ number, level: at, document_sha256, created_at }) => ({
        number,
        level: at,
        document_sha256: document_sha256.toString('hex'),
        created_at: created_at.toISOString(),
      })),
    };
  }
}
