import { Database, type Tx } from '@constancia/persistence';
import { NotFound } from '@constancia/problem-json';
import { Injectable } from '@nestjs/common';
import { Topup } from './topup.entity.ts';

/** Reads of top-ups. */
@Injectable()
export class Topups {
  constructor(private readonly database: Database) {}

  /** Throws NotFound, for another tenant's too. */
  find(tenantId: string, id: string): Promise<Topup> {
    return this.database.tenant(tenantId, (tx) => topupOf(tx, tenantId, id));
  }

  /** Newest first, or oldest first; of a status or a reference. */
  list(
    tenantId: string,
    filter: {
      limit: number;
      order: 'asc' | 'desc';
      after?: string | undefined;
      status?: string | undefined;
      external_ref?: string | undefined;
      from?: Date | undefined;
      to?: Date | undefined;
    },
  ): Promise<Topup[]> {
    const { limit, order, after, status, external_ref: externalRef, from, to } = filter;
    return this.database.tenant(tenantId, (tx) => {
      const query = tx.manager.createQueryBuilder(Topup, 't').where('t.tenant_id = :tenantId', { tenantId });
      if (after !== undefined) query.andWhere(order === 'desc' ? 't.id < :after' : 't.id > :after', { after });
      if (status !== undefined) query.andWhere('t.status = :status', { status });
      if (externalRef !== undefined) query.andWhere('t.external_ref = :externalRef', { externalRef });
      if (from !== undefined) query.andWhere('t.created_at >= :from', { from });
      if (to !== undefined) query.andWhere('t.created_at < :to', { to });
      return query
        .orderBy('t.id', order === 'desc' ? 'DESC' : 'ASC')
        .limit(limit)
        .getMany();
    });
  }
}

/** Throws NotFound. */
export async function topupOf(tx: Tx, tenantId: string, id: string): Promise<Topup> {
  const topup = await tx.manager.findOneBy(Topup, { tenant_id: tenantId, id });
  if (!topup) throw new NotFound();
  return topup;
}
