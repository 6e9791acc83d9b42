import { archiveKeyLine } from '@constancia/archives';
import type { ArchiveKeys } from '@constancia/storage';
import { type ExportedFile, type ExportedRow, linePages } from '@constancia/tenant-export';
import type { TrailArchives } from '../trail-archive/trail-archives.ts';

/** Where trails are that the database has no longer, their heads there (which file, from which of its rows on), and what verifies files. */
export function archivedTrailFiles(
  tenantId: string,
  archives: TrailArchives,
  archiveKeys: ArchiveKeys,
): ExportedFile[] {
  async function* keys(): AsyncGenerator<ExportedRow[]> {
    yield (await archiveKeys.list()).map((key) => ({ line: archiveKeyLine(key) }));
  }
  return [
    { name: 'archive-keys', pages: keys },
    { name: 'trail-archives', pages: (tx) => linePages((page) => archives.exportedFiles(tx, tenantId, page)) },
    { name: 'archived-trails', pages: (tx) => linePages((page) => archives.exportedPlaces(tx, tenantId, page)) },
  ];
}
