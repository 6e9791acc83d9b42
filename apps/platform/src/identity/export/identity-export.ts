import { typeId } from '@constancia/kernel';
import type { Tx } from '@constancia/persistence';
import {
  asRows,
  type ExportedFile,
  type ExportedRow,
  type ExportSource,
  linePages,
  newestFirst,
  newestPage,
} from '@constancia/tenant-export';
import { Injectable } from '@nestjs/common';
import { Presentation } from '../presentations/presentation.entity.ts';
import { TenantPresentations } from '../presentations/tenant-presentations.ts';
import { FlowView } from '../flows/flow-view.ts';
import { listFlows } from '../flows/flows.ts';
import { IdentityDatabase } from '../identity-database.ts';
import { OidcClientView } from '../oidc/clients/client-view.ts';
import { listClients } from '../oidc/clients/oidc-clients.ts';
import { identityErasure } from '../privacy/erasure-receipt.ts';
import { ErasureReceipt } from '../privacy/erasure-receipt.entity.ts';
import { ErasureReceiptView } from '../privacy/erasure-receipt-view.ts';
import { ModuleErasures } from '../privacy/module-erasures.ts';
import { SessionTrailArchives } from '../sessions/archive/session-trail-archives.ts';
import { listSessions } from '../sessions/session-changes.ts';
import type { FlowSession } from '../sessions/session-row.ts';
import { trailOf } from '../sessions/session-trail.ts';
import { SessionView } from '../sessions/session-view.ts';
import { Sessions } from '../sessions/sessions.ts';
import { SessionReviewView } from '../sessions/show-trail.ts';
import { listSubjects, SubjectRecords } from '../subjects/subject-records.ts';

/** Rows that are opened at a time: each subject has a key of its own. */
const SUBJECTS = 50;

/** What this module exports: what its lists and details show. Pictures are shown by none. */
@Injectable()
export class IdentityExport {
  constructor(
    private readonly database: IdentityDatabase,
    private readonly records: SubjectRecords,
    private readonly sessions: Sessions,
    private readonly erasures: ModuleErasures,
    private readonly presentations: TenantPresentations,
    private readonly archives: SessionTrailArchives,
  ) {}

  source(tenantId: string): ExportSource {
    return {
      module: 'identity',
      database: this.database,
      files: [
        {
          name: 'identity/flows',
          pages: (tx) =>
            asRows(
              newestFirst(
                ({ beforeId: before, limit }) => listFlows(tx, tenantId, { before, limit }),
                ({ id }) => id,
              ),
              (flow) => ({ line: FlowView.of(flow) }),
            ),
        },
        { name: 'identity/subjects', pages: (tx) => this.subjectRows(tx, tenantId) },
        ...this.sessionFiles(tenantId),
        ...this.archivedTrails(tenantId),
        { name: 'identity/presentations', pages: (tx) => this.presentationRows(tx, tenantId) },
        { name: 'identity/oidc_clients', pages: (tx) => clientRows(tx, tenantId) },
        { name: 'identity/erasures', pages: (tx) => this.receiptRows(tx, tenantId) },
      ],
    };
  }

  private sessionFiles(tenantId: string): ExportedFile[] {
    const { sessions } = this;
    const file = (name: string, rowsOf: (tx: Tx, session: FlowSession) => Promise<ExportedRow[]>): ExportedFile => ({
      name: `identity/${name}`,
      async *pages(tx) {
        for await (const page of sessionsOf(tx, tenantId)) {
          for (const session of page) yield await rowsOf(tx, session);
        }
      },
    });
    return [
      file('sessions', async (tx, session) => [
        { line: { ...SessionView.of(session), context: await sessions.contextIn(tx, session) } },
      ]),
      file('session-trails', async (tx, { id }) =>
        (await trailOf(tx, tenantId, id)).map((event) => ({ line: { session_id: typeId('fls', id), ...event } })),
      ),
      file('session-reviews', async (tx, session) =>
        (await sessions.reviewsIn(tx, session)).map((review) => ({
          line: { session_id: typeId('fls', session.id), ...SessionReviewView.of(review) },
        })),
      ),
    ];
  }

  /** Where trails are that the database has no longer. GET /v1/billing/statement-keys has the keys that verify the files. */
  private archivedTrails(tenantId: string): ExportedFile[] {
    const { archives } = this;
    return [
      {
        name: 'identity/session-trail-archives',
        pages: (tx) => linePages((page) => archives.exportedFiles(tx, tenantId, page)),
      },
      {
        name: 'identity/archived-session-trails',
        pages: (tx) => linePages((page) => archives.exportedPlaces(tx, tenantId, page)),
      },
    ];
  }

  private async *subjectRows(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
    const pages = newestFirst(
      ({ beforeId: before, limit }) => listSubjects(tx, tenantId, { before, limit }),
      ({ id }) => id,
      SUBJECTS,
    );
    for await (const rows of pages) yield (await this.records.views(rows)).map((line) => ({ line }));
  }

  private async *presentationRows(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
    const pages = newestFirst(
      (page) => tx.manager.find(Presentation, newestPage(tenantId, page)),
      ({ id }) => id,
      SUBJECTS,
    );
    for await (const rows of pages) {
      for (const row of rows) yield [{ line: await this.presentations.view(tx, row) }];
    }
  }

  private async *receiptRows(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
    const pages = newestFirst(
      (page) => tx.manager.find(ErasureReceipt, newestPage(tenantId, page)),
      ({ id }) => id,
    );
    for await (const receipts of pages) {
      for (const receipt of receipts) {
        const others = await this.erasures.of(tx, tenantId, receipt.id);
        yield [{ line: ErasureReceiptView.of(receipt, [identityErasure(receipt), ...others]) }];
      }
    }
  }
}

function sessionsOf(tx: Tx, tenantId: string): AsyncGenerator<FlowSession[]> {
  return newestFirst(
    ({ beforeId: before, limit }) => listSessions(tx, tenantId, { before, limit }),
    ({ id }) => id,
  );
}

/** Without their secrets, of which only a hash is kept. */
function clientRows(tx: Tx, tenantId: string) {
  return asRows(
    newestFirst(
      ({ beforeId: before, limit }) => listClients(tx, tenantId, { before, limit }),
      ({ id }) => id,
    ),
    (client) => ({ line: OidcClientView.of(client) }),
  );
}
