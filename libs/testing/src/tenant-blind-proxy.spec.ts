import { describe, expect, it } from 'vitest';
import { withoutTenantConditions } from './tenant-blind-proxy.ts';

describe('a statement that forgets the tenant', () => {
  it.each([
    ['select 1 from t where tenant_id = $1 and id = $2', 'select 1 from t where (tenant_id = $1 or true) and id = $2'],
    ['where id = $1 and "Template"."tenant_id" = $2', 'where id = $1 and ("Template"."tenant_id" = $2 or true)'],
    ['where s.tenant_id=$12', 'where (s.tenant_id = $12 or true)'],
  ])('%s', (sql, expected) => expect(withoutTenantConditions(sql)).toBe(expected));

  it('keeps joins, insertions and settings as they are', () => {
    for (const sql of [
      'select 1 from a join b on a.tenant_id = b.tenant_id',
      'insert into t (tenant_id, id) values ($1, $2)',
      "select set_config('app.tenant_id', $1, true)",
    ])
      expect(withoutTenantConditions(sql)).toBe(sql);
  });
});
