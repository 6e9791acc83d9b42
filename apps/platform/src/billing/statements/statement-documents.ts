import { createHash } from 'node:crypto';
import { Database } from '@constancia/persistence';
import { Injectable } from '@nestjs/common';
import type { Locale } from '../../locale.ts';
import { TenantRow } from '../../tenants/tenant.entity.ts';
import { StatementDocument } from './statement-document.entity.ts';
import type { StatementMonth } from './statement-month.ts';
import { StatementSeal } from './statement-seal.ts';
import { Statements } from './statements.ts';

/** Statements as sealed PDFs. That of a month that is over is sealed once and kept: it is the same file at every download. */
@Injectable()
export class StatementDocuments {
  constructor(
    private readonly database: Database,
    private readonly statements: Statements,
    private readonly seal: StatementSeal,
  ) {}

  /** `locale`: the tenant's when left out. Throws DependencyUnavailable while nothing can be sealed. */
  async pdf(tenantId: string, month: StatementMonth, locale?: Locale): Promise<Buffer> {
    const tenant = await this.database.tenant(tenantId, (tx) => tx.manager.findOneBy(TenantRow, { id: tenantId }));
    if (!tenant) throw new Error('the tenant of the request is not in the store');
    const language = locale ?? tenant.locale;
    const kept = month.isFinal && (await this.kept(tenantId, month.month, language));
    return kept || this.made(tenant, month, language);
  }

  private async made(tenant: TenantRow, month: StatementMonth, locale: Locale): Promise<Buffer> {
    const statement = await this.statements.of(tenant.id, month);
    const madeAt = new Date();
    const { display_name: displayName, slug } = tenant;
    const pdf = await this.seal.sealed({ statement, locale, displayName, slug, madeAt });
    if (!month.isFinal) return pdf;
    await this.keep({ tenant_id: tenant.id, month: month.month, locale, pdf, sha256: sha256(pdf), sealed_at: madeAt });
    return (await this.kept(tenant.id, month.month, locale)) ?? pdf;
  }

  private async kept(tenantId: string, month: string, locale: Locale): Promise<Buffer | undefined> {
    const found = await this.database.tenant(tenantId, (tx) =>
      tx.manager.findOneBy(StatementDocument, { tenant_id: tenantId, month, locale }),
    );
    return found?.pdf;
  }

  /** Of two that are made at the same time, the first one stays. */
  private async keep(document: StatementDocument): Promise<void> {
    const { tenant_id, month, locale, pdf, sha256, sealed_at } = document;
    await this.database.tenant(tenant_id, (tx) =>
      tx.query(
        `insert into platform.statement_document (tenant_id, month, locale, pdf, sha256, sealed_at)
         values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
        [tenant_id, month, locale, pdf, sha256, sealed_at],
      ),
    );
  }
}

const sha256 = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();
