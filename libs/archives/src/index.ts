export { ArchivedChain } from './archived-chain.ts';
export { archiveKeyLine, archiveLine, ArchivedFile } from './archived-file.ts';
export { ArchivesModule } from './archives.module.ts';
export { ChainArchive, linesOf } from './chain-archive.ts';
export type { ChainTables, FiledChain, LocatedChain } from './chain-archive.ts';
export { HistoryArchive } from './history-archive.ts';
export type { ArchiveSigner, ArchiveVerdict, FileContent, History, ListedArchive, NextRow } from './history-archive.ts';
export { sameRow } from './same-row.ts';
