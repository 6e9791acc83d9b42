import { type AuditEntry, AuditLog } from '@constancia/auth';
import { uuidOf } from '@constancia/kernel';
import { Database, isUniqueViolation, type Tx } from '@constancia/persistence';
import { Conflict, DuplicateKey, NotFound, UnknownReference } from '@constancia/problem-json';
import { LRUCache } from 'lru-cache';
import { Injectable } from '@nestjs/common';
import { LessThan } from 'typeorm';
import { earlierWritersEnded } from './earlier-writers.ts';
import { templateAudit } from './template-audit.ts';
import { Template } from './template.entity.ts';

/** Bounds the memory of found templates: about 20 MB. */
const CACHED_PLACEHOLDERS = 100_000;

const ARCHIVE = `update signing.template set archived_at = coalesce(archived_at, now()) where tenant_id = $1 and id = $2
  returning archived_at = now() as is_new`;
const IS_USED = `select exists (select from signing.signature_request where tenant_id = $1 and template_id = $2) as used`;
const DELETE_UNUSED = 'select signing.delete_unused_template($1, $2)';

interface TemplateFilter {
  externalRef?: string | undefined;
  beforeId?: string;
  limit: number;
}

/** The templates of every tenant. */
@Injectable()
export class Templates {
  private readonly sealable = new LRUCache<string, Template>({
    maxSize: CACHED_PLACEHOLDERS,
    sizeCalculation: (template) => 1 + template.placeholders.length,
  });

  constructor(private readonly database: Database) {}

  /** One template by its TypeID. Throws NotFound for anything else, another tenant's included. */
  async find(tenantId: string, id: string): Promise<Template> {
    const template = await this.read(tenantId, id);
    if (!template) throw new NotFound();
    return template;
  }

  /**
   * The template that a request is made on. A found one is kept in memory, since it does not change; that it was archived or deleted
   * meanwhile shows when the request is written (CN410): call `forget` then. Throws UnknownReference.
   */
  async forSealing(tenantId: string, id: string): Promise<Template> {
    const cacheKey = `${tenantId} ${id}`;
    const known = this.sealable.get(cacheKey);
    if (known) return known;
    const template = await this.read(tenantId, id);
    if (!template) throw new UnknownReference('/template_id', 'There is no template with this template_id.');
    this.sealable.set(cacheKey, template);
    return template;
  }

  forget(tenantId: string, id: string): void {
    this.sealable.delete(`${tenantId} ${id}`);
  }

  /** Templates of a tenant, newest first, older than the one with this UUID. */
  list(tenantId: string, page: TemplateFilter): Promise<Template[]> {
    return this.database.tenant(tenantId, (tx) => listTemplates(tx, tenantId, page));
  }

  /** Throws DuplicateKey when the tenant has a template with this code. */
  async refuseTakenCode(tenantId: string, code: string): Promise<void> {
    const taken = await this.database.tenant(tenantId, (tx) =>
      tx.manager.existsBy(Template, { tenant_id: tenantId, code }),
    );
    if (taken) throw codeTaken(code);
  }

  /** Adds a template. Throws DuplicateKey when its code was taken meanwhile. */
  async add(template: Template, by: Pick<AuditEntry, 'principal' | 'origin'>): Promise<void> {
    try {
      await this.database.tenant(template.tenant_id, async (tx) => {
        await tx.manager.insert(Template, template);
        await AuditLog.record(tx, { ...by, ...templateAudit('template.created', template) });
      });
    } catch (error) {
      throw isUniqueViolation(error, 'template_code_key') ? codeTaken(template.code) : error;
    }
  }

  /**
   * Takes a template out of use: archives it, and deletes it when no request was ever made on it. Answers the archived template, null when
   * it was deleted. A request that is accepted concurrently counts: requests look at the template in their own transaction, and one that looked
   * before it was archived has ended before it is deleted. Throws NotFound, and Conflict when that takes too long: it is archived then.
   */
  async remove(tenantId: string, id: string, by: Pick<AuditEntry, 'principal' | 'origin'>): Promise<Template | null> {
    const found = await this.find(tenantId, id);
    const params = [tenantId, found.id];
    const used = await this.database.tenant(tenantId, async (tx) => {
      const [archived] = await tx.query<{ is_new: boolean }>(ARCHIVE, params);
      if (!archived) throw new NotFound();
      const [row] = await tx.query<{ used: boolean }>(IS_USED, params);
      if (archived.is_new) await AuditLog.record(tx, { ...by, ...templateAudit('template.removed', found) });
      return row?.used === true;
    });
    this.forget(tenantId, id);
    if (used) return this.find(tenantId, id);
    if (!(await earlierWritersEnded(this.database))) {
      throw new Conflict(
        'Requests may still be under way: the template takes no new ones. Send this again to delete it.',
      );
    }
    await this.database.tenant(tenantId, (tx) => tx.query(DELETE_UNUSED, params));
    return (await this.read(tenantId, id)) ?? null;
  }

  private async read(tenantId: string, id: string): Promise<Template | null> {
    const uuid = uuidOf('tpl', id);
    if (!uuid) return null;
    return this.database.tenant(tenantId, (tx) => tx.manager.findOneBy(Template, { id: uuid, tenant_id: tenantId }));
  }
}

/** Templates of a tenant, newest first, older than the one with this UUID. */
export function listTemplates(
  tx: Tx,
  tenantId: string,
  { externalRef, beforeId, limit }: TemplateFilter,
): Promise<Template[]> {
  const where = {
    tenant_id: tenantId,
    ...(externalRef !== undefined && { external_ref: externalRef }),
    ...(beforeId && { id: LessThan(beforeId) }),
  };
  return tx.manager.find(Template, { where, order: { id: 'DESC' }, take: limit });
}

function codeTaken(code: string): DuplicateKey {
  return new DuplicateKey(
    `A template with the code ${code} exists, perhaps an archived one: another PDF is uploaded under another code.`,
  );
}
