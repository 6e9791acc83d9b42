import { archiveKeyLine, archiveLine } from '@constancia/archives';
import { typeId } from '@constancia/kernel';
import type { ArchiveKeys } from '@constancia/storage';
import { asRows, type ExportedFile, type ExportedRow, newestFirst } from '@constancia/tenant-export';
import { LessThan } from 'typeorm';
import { ArchivedTrail } from '../trail-archive/archived-trail.entity.ts';
import { TrailArchive } from '../trail-archive/trail-archive.entity.ts';

/** Where trails are that the database has no longer, their heads there (which file, from which of its rows on), and what verifies files. */
export function archivedTrailFiles(tenantId: string, archiveKeys: ArchiveKeys): ExportedFile[] {
  async function* keys(): AsyncGenerator<ExportedRow[]> {
    yield (await archiveKeys.list()).map((key) => ({ line: archiveKeyLine(key) }));
  }
  return [
    { name: 'archive-keys', pages: keys },
    {
      name: 'trail-archives',
      pages: (tx) =>
        asRows(
          newestFirst(
            ({ beforeId, limit }) =>
              tx.manager.find(TrailArchive, {
                where: {
                  tenant_id: tenantId,
                  ...(beforeId !== undefined && { through_seq: LessThan(Number(beforeId)) }),
                },
                order: { through_seq: 'DESC' },
                take: limit,
              }),
            ({ through_seq }) => String(through_seq),
          ),
          (archive) => ({ line: { id: archive.id, ...archiveLine(archive) } }),
        ),
    },
    {
      name: 'archived-trails',
      pages: (tx) =>
        asRows(
          newestFirst(
            ({ beforeId, limit }) =>
              tx.manager.find(ArchivedTrail, {
                where: { tenant_id: tenantId, ...(beforeId !== undefined && { envelope_id: LessThan(beforeId) }) },
                order: { envelope_id: 'DESC' },
                take: limit,
              }),
            ({ envelope_id }) => envelope_id,
          ),
          ({ envelope_id, archive_id, first_row, events, head_hash }) => ({
            line: { envelope_id: typeId('env', envelope_id), archive_id, first_row, seq: events, hash: head_hash },
          }),
        ),
    },
  ];
}
