import { uuidOf } from '@constancia/kernel';
import { Database, isUniqueViolation } from '@constancia/persistence';
import { DuplicateKey, NotFound } from '@constancia/problem-json';
import { LRUCache } from 'lru-cache';
import { Template } from './template.entity.ts';

/** Bounds the memory of found templates: about 20 MB. */
const CACHED_PLACEHOLDERS = 100_000;

/** The templates of every tenant. A template never changes after its upload, so a found one is kept in memory. */
export class Templates {
  private readonly found = new LRUCache<string, Template>({
    maxSize: CACHED_PLACEHOLDERS,
    sizeCalculation: (template) => 1 + template.placeholders.length,
  });

  constructor(private readonly database: Database) {}

  /** One template by its TypeID. Throws NotFound for anything else, another tenant's included. */
  async find(tenantId: string, id: string): Promise<Template> {
    const uuid = uuidOf('tpl', id);
    if (!uuid) throw new NotFound();
    const cacheKey = `${tenantId} ${uuid}`;
    const known = this.found.get(cacheKey);
    if (known) return known;
    const template = await this.database.tenant(tenantId, (tx) =>
      tx.manager.findOneBy(Template, { id: uuid, tenant_id: tenantId }),
    );
    if (!template) throw new NotFound();
    this.found.set(cacheKey, template);
    return template;
  }

  /** Templates of a tenant, newest first, older than the one with this UUID. */
  list(tenantId: string, page: { beforeId?: string; limit: number }): Promise<Template[]> {
    return this.database.tenant(tenantId, (tx) => {
      const query = tx.manager
        .createQueryBuilder(Template, 't')
        .where('t.tenant_id = :tenantId', { tenantId })
        .orderBy('t.id', 'DESC')
        .limit(page.limit);
      if (page.beforeId) query.andWhere('t.id < :beforeId', { beforeId: page.beforeId });
      return query.getMany();
    });
  }

  /** Throws DuplicateKey when the tenant has a template with this code. */
  async refuseTakenCode(tenantId: string, code: string): Promise<void> {
    const taken = await this.database.tenant(tenantId, (tx) =>
      tx.manager.existsBy(Template, { tenant_id: tenantId, code }),
    );
    if (taken) throw codeTaken(code);
  }

  /** Adds a template. Throws DuplicateKey when its code was taken meanwhile. */
  async add(template: Template): Promise<void> {
    try {
      await this.database.tenant(template.tenant_id, (tx) => tx.manager.insert(Template, template));
    } catch (error) {
      throw isUniqueViolation(error, 'template_code_key') ? codeTaken(template.code) : error;
    }
  }
}

function codeTaken(code: string): DuplicateKey {
  return new DuplicateKey(`A template with the code ${code} exists: another PDF is uploaded under another code.`);
}
