import { Readable } from 'node:stream';
import { stillUnderWay } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { type BeforeApplicationShutdown, Injectable, type StreamableFile } from '@nestjs/common';
import { Archive, type Content } from './archive.ts';
import { admitExport, type ExportCaller, noteEnd, takeSlot } from './export-admission.ts';
import { exportAnswer } from './export-answer.ts';
import type { ExportedFile, ExportedObject, ExportSource } from './export-source.ts';
import { ExportWatch, STALL_MS } from './export-watch.ts';
import { Manifest, MANIFEST } from './manifest.ts';

/** Each holds a connection of the pool for as long as its client reads, and one per source until the rows have left. */
const MOST_AT_ONCE = 2;
/** The store ends a transaction that is silent for longer than a client may be. */
const SILENT_MS = STALL_MS + 30_000;

/** What is exported, for whom. */
export interface ExportRequest extends ExportCaller {
  /** As the manifest and the audit log name it. */
  host: string;
  sources: ExportSource[];
}

/** When the state was that a snapshot shows: a replica's is that of the last commit which it has. */
const SNAPSHOT_AT =
  'select coalesce(case when pg_is_in_recovery() then pg_last_xact_replay_timestamp() end, now()) as at';
const NOT_REPEATED = 'an export is not repeated: its client has seen the beginning';

interface OpenSource {
  source: ExportSource;
  tx: Tx;
}

type FoundObject = ExportedObject & { source: ExportSource };

/**
 * Writes archives of everything that a tenant owns on a host: rows from one snapshot per schema, then the objects that they name, which never
 * change, so that no snapshot is held while files leave. As fast as the client reads and no faster. A tenant has one export at a time on a
 * host, whichever process serves it. The audit log says when it starts and what left.
 */
@Injectable()
export class TenantExports implements BeforeApplicationShutdown {
  private readonly underWay = new Set<Readable>();
  /** Of each export that was started: done once the audit log says what left. */
  private readonly ends = new Set<Promise<void>>();

  constructor(private readonly database: Database) {}

  /** The answer to a request for an archive. HEAD gets its headers and starts nothing. Throws Conflict and RateLimitExceeded. */
  async answer(method: string, request: ExportRequest): Promise<StreamableFile> {
    return exportAnswer(request.host, method === 'HEAD' ? Readable.from([]) : await this.start(request));
  }

  /** Starts an export; answers once the store has begun. */
  private start(request: ExportRequest): Promise<Readable> {
    if (this.underWay.size >= MOST_AT_ONCE) throw stillUnderWay('Other exports are under way');
    return new Promise((begun, failed) => {
      const run = new ExportRun(this.database, request, begun);
      this.underWay.add(run.archive.body);
      const end = run
        .write()
        .catch((error: Error) => {
          run.archive.body.destroy(error);
          failed(error); // reaches the caller only when nothing had begun
        })
        .finally(() => this.underWay.delete(run.archive.body))
        .then(() => run.note())
        .catch(() => undefined) // the store is unavailable: the log says that the export started
        .finally(() => this.ends.delete(end));
      this.ends.add(end);
    });
  }

  /**
   * An archive takes as long as its reader: a process that ends cuts off what has not left by now. The store stays open until no slot and no
   * snapshot is held, and the audit log says what left.
   */
  async beforeApplicationShutdown(): Promise<void> {
    for (const body of this.underWay) body.destroy(new Error('the service is shutting down'));
    await Promise.all(this.ends);
  }
}

/** One archive on its way. */
class ExportRun {
  readonly archive = new Archive(new Date(), () => this.watch?.progress());
  private readonly manifest: Manifest;
  private readonly objects: FoundObject[] = [];
  private watch: ExportWatch | undefined;
  private isAdmitted = false;
  private hasBegun = false;
  private isWhole = false;

  constructor(
    private readonly database: Database,
    private readonly request: ExportRequest,
    private readonly begun: (body: Readable) => void,
  ) {
    this.manifest = new Manifest(request.host, request.principal);
  }

  async write(): Promise<void> {
    try {
      await this.database.tenant(this.tenantId, (slot) => this.writeFiles(slot));
      await this.archive.end(); // after the slot is free: a client that saw the end may start the next one
    } finally {
      this.watch?.end();
    }
    this.isWhole = true;
  }

  /** Writes into the audit log what became of it. Nothing for one that was refused. */
  async note(): Promise<void> {
    if (!this.isAdmitted) return;
    const { rows, bytes, fileCount: files } = this.manifest;
    await noteEnd(this.database, this.request.host, this.request, { complete: this.isWhole, rows, files, bytes });
  }

  private get tenantId(): string {
    return this.request.principal.tenant.id;
  }

  private async writeFiles(slot: Tx): Promise<void> {
    const { host, sources } = this.request;
    if (this.isAdmitted) throw new Error(NOT_REPEATED);
    await takeSlot(slot, `tenant-export:${host}:${this.tenantId}`, SILENT_MS);
    await admitExport(this.database, host, this.request);
    this.isAdmitted = true;
    this.watch = new ExportWatch(this.archive.body, slot);
    try {
      await this.inSnapshots(sources, [], (open) => this.writeRows(open));
      this.watch.rowsEnded();
      await this.writeObjects();
      await this.archive.add(MANIFEST, this.manifest.chunks(), { compress: true });
    } finally {
      this.watch.slotEnded();
    }
  }

  /** Opens a snapshot of every source, all of them before any is read. */
  private inSnapshots(
    sources: readonly ExportSource[],
    open: OpenSource[],
    work: (open: OpenSource[]) => Promise<void>,
  ): Promise<void> {
    const [source, ...others] = sources;
    if (source === undefined) return work(open);
    return source.database.snapshot(this.tenantId, async (tx) => {
      await tx.query(`set local idle_in_transaction_session_timeout = ${SILENT_MS}`);
      const [snapshot] = await tx.query<{ at: Date }>(SNAPSHOT_AT);
      this.manifest.addSnapshot(source.module, snapshot?.at ?? new Date());
      await this.inSnapshots(others, [...open, { source, tx }], work);
    });
  }

  private async writeRows(open: OpenSource[]): Promise<void> {
    if (this.hasBegun) throw new Error(NOT_REPEATED);
    this.hasBegun = true;
    this.begun(this.archive.body);
    for (const { source, tx } of open) {
      for (const file of source.files) await this.writeFile(source, file, tx);
    }
  }

  private async writeFile(source: ExportSource, { name, pages }: ExportedFile, tx: Tx): Promise<void> {
    const { objects } = this;
    let count = 0;
    async function* lines(): AsyncGenerator<Buffer> {
      for await (const rows of pages(tx)) {
        count += rows.length;
        for (const row of rows) for (const object of row.objects ?? []) objects.push({ ...object, source });
        yield Buffer.from(rows.map(({ line }) => `${JSON.stringify(line)}\n`).join(''));
      }
    }
    const file = await this.archive.add(`${name}.ndjson`, lines(), { compress: true });
    this.manifest.addRows(file, count);
  }

  private async writeObjects(): Promise<void> {
    for (const object of this.objects) {
      const content = await this.open(object);
      if (content === null) this.manifest.addMissing(object.path);
      else this.manifest.addObject(await this.archive.add(object.path, content, { compress: false }));
    }
  }

  private async open(object: FoundObject): Promise<Content | null> {
    const content = await object.source.open?.(object);
    if (content === undefined) throw new Error(`nothing opens objects of ${object.source.module}`);
    return content;
  }
}
