import { principalId } from '@constancia/auth';
import type { Principal } from '@constancia/http';
import type { ArchivedFile } from './archive.ts';

/** Rises when a reader of the format before would misread an archive. New files and members do not raise it. */
const FORMAT_VERSION = 1;

/** The path of the manifest, which is the last file of an archive. */
export const MANIFEST = 'manifest.json';

/** What an archive holds: written as its last file, so an archive without it is not whole. */
export class Manifest {
  private readonly snapshots = new Map<string, Date>();
  private readonly files: (ArchivedFile & { rows?: number })[] = [];
  private readonly missing: string[] = [];
  rows = 0;
  bytes = 0;

  constructor(
    private readonly host: string,
    private readonly principal: Principal,
  ) {}

  /** The instant of whose state all files of a module are. One that is opened again takes the place of the former one. */
  addSnapshot(module: string, at: Date): void {
    this.snapshots.set(module, at);
  }

  addRows(file: ArchivedFile, rows: number): void {
    this.files.push({ ...file, rows });
    this.rows += rows;
    this.bytes += file.bytes;
  }

  addObject(file: ArchivedFile): void {
    this.files.push(file);
    this.bytes += file.bytes;
  }

  /** An object that a row names and that was erased while the archive was written. */
  addMissing(path: string): void {
    this.missing.push(path);
  }

  get fileCount(): number {
    return this.files.length;
  }

  /** Its text, in pieces. */
  *chunks(): Generator<Buffer> {
    const { tenant, kind, id, name } = this.principal;
    const head = {
      format_version: FORMAT_VERSION,
      host: this.host,
      tenant: { id: tenant.id, slug: tenant.slug, environment: tenant.environment },
      exported_by: { kind, id: principalId({ kind, id }), name },
      snapshots: [...this.snapshots].map(([module, at]) => ({ module, at })),
      missing: this.missing,
    };
    yield Buffer.from(`${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [`);
    for (const [nth, file] of this.files.entries()) {
      yield Buffer.from(`${nth === 0 ? '' : ','}\n    ${JSON.stringify(file)}`);
    }
    yield Buffer.from('\n  ]\n}\n');
  }
}
