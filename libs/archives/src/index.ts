export { ArchiveActions } from './archive-actions.ts';
export { archiveKeyLine, archiveLine, ArchivedFile } from './archived-file.ts';
export { HistoryArchive } from './history-archive.ts';
export type { ArchiveVerdict, FileContent, History, ListedArchive, NextRow } from './history-archive.ts';
export { sameRow } from './same-row.ts';
