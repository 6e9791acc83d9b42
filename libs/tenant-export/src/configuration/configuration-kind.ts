import type { AuditEntry } from '@constancia/auth';
import type { Database, Tx } from '@constancia/persistence';
import { type FieldError, StateConflict } from '@constancia/problem-json';

/** An object of the configuration, as its file has it. */
export type ConfigurationContent = object;

/** What another object is named by in it. */
export interface ConfigurationReference {
  /** JSON Pointer into the content. */
  pointer: string;
  /** The file of that object, in an archive of its host. */
  file: string;
}

/** What an import does to one object. */
export interface ConfigurationChange<Content extends ConfigurationContent = ConfigurationContent> {
  /** Of the file, without its folder and ending. */
  name: string;
  /** What is in force; undefined: nothing has this name. */
  before: Content | undefined;
  after: Content;
  /** Why it cannot be changed: it is left as it is. */
  conflict?: string;
  /** It is published once a second person has published it, too. */
  isWaiting?: boolean;
  /** What a person should know about it. */
  note?: string;
}

/** What came of a change that was made. */
export interface AppliedChange {
  /** Shown once, in the answer. */
  secret?: string;
  /** Is written at the end of the transaction. */
  audit?: Pick<AuditEntry, 'action' | 'object' | 'before' | 'after' | 'onBehalfOf'>;
}

/** Objects of one kind: how they are read, compared and written. One is made for each request. */
export interface ConfigurationKind<Content extends ConfigurationContent = ConfigurationContent> {
  /** Its folder in the folder of the host. */
  folder: string;
  /** What is in force, by name. */
  current(tx: Tx): Promise<Map<string, Content>>;
  /** An object of a file. Throws ValidationError with pointers into its content. */
  read(content: unknown, name: string): Content;
  references?(content: Content): ConfigurationReference[];
  /** Waits until nobody else writes objects of these names, until the transaction ends. */
  lock?(tx: Tx, names: readonly string[]): Promise<void>;
  /** Marks what is a conflict, waits or needs a note. */
  review?(tx: Tx, changes: ConfigurationChange<Content>[]): Promise<void>;
  /** Looks at what is created or changed before anything is written, in a dry run too. Answers what is wrong, with pointers into the content. */
  prepare?(change: ConfigurationChange<Content>, files: ReadonlyMap<string, Buffer>): Promise<FieldError[]>;
  /** Stores what is not in the database, before the transaction. */
  store?(change: ConfigurationChange<Content>): Promise<void>;
  apply(tx: Tx, change: ConfigurationChange<Content>): Promise<AppliedChange>;
}

/** A stored file that objects name, by its path in the folder of the host. */
export interface ConfigurationFile {
  path: string;
  key: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** The kinds of one schema: they are written in one transaction. */
export interface ConfigurationPart {
  database: Database;
  kinds: ConfigurationKind[];
}

/** What a host exports and imports. */
export interface ConfigurationSource {
  /** Names the folder. */
  host: 'platform' | 'compliance' | 'signing';
  parts: ConfigurationPart[];
  /** The files that the objects name. */
  files?(tx: Tx): Promise<ConfigurationFile[]>;
  open?(file: ConfigurationFile): Promise<AsyncIterable<Buffer>>;
}

export const changedMeanwhile = (): StateConflict =>
  new StateConflict('Somebody changed the configuration while it was imported: send the archive again.');
