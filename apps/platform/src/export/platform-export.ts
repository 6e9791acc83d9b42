import { archiveLine } from '@constancia/archives';
import { EVENT_MODULES } from '@constancia/contracts';
import { LedgerReader } from '@constancia/credit-ledger';
import { OrderedPageQuery, page } from '@constancia/http';
import { Database, type Tx } from '@constancia/persistence';
import { retentionOf } from '@constancia/personal-data';
import {
  asRows,
  EXPORT_PAGE,
  type ExportedFile,
  type ExportedRow,
  type ExportSource,
  newestFirst,
  newestPage,
} from '@constancia/tenant-export';
import { Injectable } from '@nestjs/common';
import { KeyView } from '../api-keys/api-key-view.ts';
import { type KeyRow, KEYS } from '../api-keys/api-keys.ts';
import { auditEntries } from '../audit-log/audit-entries.ts';
import { AuditEntryView } from '../audit-log/audit-entry-view.ts';
import { LedgerEntryView } from '../billing/ledger-entry-view.ts';
import { Topup } from '../billing/topup/topup.entity.ts';
import { TopupView } from '../billing/topup/topup-view.ts';
import { PlatformConfig } from '../config.ts';
import { EventView, type LoggedEvent } from '../events/event-view.ts';
import { EventsQuery, eventsSql } from '../events/list-events.ts';
import { LedgerArchive } from '../ledger-archive/ledger-archive.entity.ts';
import { Member } from '../members/member.entity.ts';
import { MemberView } from '../members/member-view.ts';
import { shownTenant } from '../tenants/shown-tenant.ts';
import type { Delivery } from '../webhook-deliveries/delivery.ts';
import { DeliveryView } from '../webhook-deliveries/delivery-view.ts';
import { DeliveriesQuery, deliveriesSql } from '../webhook-deliveries/list-deliveries.ts';
import { MAX_ENDPOINTS } from '../webhook-endpoints/v1/create-endpoint.ts';
import { EndpointView } from '../webhook-endpoints/v1/endpoint-view.ts';
import { listEndpoints } from '../webhook-endpoints/v1/list-endpoints.ts';

/** What this module exports: what its lists show. */
@Injectable()
export class PlatformExport {
  constructor(
    private readonly database: Database,
    private readonly ledger: LedgerReader,
    private readonly config: PlatformConfig,
  ) {}

  source(tenantId: string): ExportSource {
    return {
      module: 'platform',
      database: this.database,
      files: [...this.tenantFiles(tenantId), ...webhookFiles(tenantId), ...this.recordFiles(tenantId)],
    };
  }

  private tenantFiles(tenantId: string): ExportedFile[] {
    const { apiUrl } = this.config;
    const members = (tx: Tx) =>
      newestFirst(
        (range) => tx.manager.find(Member, newestPage(tenantId, range)),
        ({ id }) => id,
      );
    return [
      one('tenant', (tx) => shownTenant(tx, tenantId, apiUrl)),
      one('retention', (tx) => retentionOf(tx, tenantId)),
      {
        name: 'platform/api-keys',
        async *pages(tx) {
          const keys = await tx.query<KeyRow>(`${KEYS} order by k.key_id desc`, [tenantId]); // 50 at most
          yield keys.map((row) => ({ line: KeyView.of(row) }));
        },
      },
      { name: 'platform/members', pages: (tx) => asRows(members(tx), (row) => ({ line: MemberView.of(row) })) },
    ];
  }

  private recordFiles(tenantId: string): ExportedFile[] {
    const ledger = (tx: Tx) =>
      newestFirst(
        ({ beforeId, limit }) =>
          this.ledger.statementIn(tx, tenantId, { limit, ...(beforeId && { beforeSeq: Number(beforeId) }) }),
        ({ seq }) => String(seq),
      );
    const topups = (tx: Tx) =>
      newestFirst(
        (range) => tx.manager.find(Topup, newestPage(tenantId, range)),
        ({ id }) => id,
      );
    const entries = (tx: Tx) =>
      newestFirst(
        ({ beforeId, limit }) =>
          auditEntries(tx, tenantId, {}, { order: 'desc', limit, ...(beforeId && { after: Number(beforeId) }) }),
        ({ seq }) => String(seq),
      );
    return [
      { name: 'platform/ledger', pages: (tx) => asRows(ledger(tx), (row) => ({ line: LedgerEntryView.of(row) })) },
      { name: 'platform/ledger-archives', pages: (tx) => archivedLedger(tx, tenantId) },
      { name: 'platform/topups', pages: (tx) => asRows(topups(tx), (row) => ({ line: TopupView.of(row) })) },
      { name: 'platform/audit-log', pages: (tx) => asRows(entries(tx), (row) => ({ line: AuditEntryView.of(row) })) },
    ];
  }
}

/** Where the older entries of the ledger are: few rows, one for thousands of entries. */
async function* archivedLedger(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
  const archives = await tx.manager.find(LedgerArchive, {
    where: { tenant_id: tenantId },
    order: { through_seq: 'DESC' },
  });
  yield archives.map((archive) => ({ line: archiveLine(archive) }));
}

function webhookFiles(tenantId: string): ExportedFile[] {
  const all = Object.assign(new OrderedPageQuery(), { limit: MAX_ENDPOINTS + EVENT_MODULES.length });
  return [
    {
      name: 'platform/webhook-endpoints',
      async *pages(tx) {
        yield (await listEndpoints(tx, tenantId, all)).map((row) => ({ line: EndpointView.of(row) }));
      },
    },
    { name: 'platform/events', pages: (tx) => eventRows(tx, tenantId) },
    { name: 'platform/webhook-deliveries', pages: (tx) => deliveryRows(tx, tenantId) },
  ];
}

async function* eventRows(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
  const query = Object.assign(new EventsQuery(), { limit: EXPORT_PAGE });
  do {
    const rows = await tx.query<LoggedEvent>(...eventsSql(tenantId, query));
    const { data, next_cursor } = page(rows, query.limit, ({ event_id }) => [event_id]);
    yield data.map((row) => ({ line: EventView.of(row) }));
    query.cursor = next_cursor ?? undefined;
  } while (query.cursor !== undefined);
}

async function* deliveryRows(tx: Tx, tenantId: string): AsyncGenerator<ExportedRow[]> {
  const query = Object.assign(new DeliveriesQuery(), { limit: EXPORT_PAGE });
  do {
    const rows = await tx.query<Delivery>(...deliveriesSql(tenantId, query));
    const { data, next_cursor } = page(rows, query.limit, ({ event_id, id }) => [event_id, id]);
    yield data.map((row) => ({ line: DeliveryView.of(row) }));
    query.cursor = next_cursor ?? undefined;
  } while (query.cursor !== undefined);
}

/** A file of one line. */
function one(name: string, read: (tx: Tx) => Promise<object>): ExportedFile {
  return {
    name: `platform/${name}`,
    async *pages(tx) {
      yield [{ line: await read(tx) }];
    },
  };
}
