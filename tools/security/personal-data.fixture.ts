import { SIGNING_CONTEXT } from '@constancia/contracts';
import { DataKeys } from '@constancia/kms';
import { Database } from '@constancia/persistence';
import { PersonalData, type SubjectKey } from '@constancia/personal-data';
import type { TestStack } from '@constancia/testing';
import { inStore } from '../e2e/deployment.fixture.ts';

interface WrappedKey {
  id: string;
  wrapped_key: Buffer;
}

/** Everything of a tenant in the schema `signing` that opens with the keys that are left, as one text. */
export async function openedOfSigning(stack: TestStack, tenantId: string): Promise<string> {
  const keys = await keysOf(stack, tenantId);
  const opened: string[] = [];
  for (const sealed of await bytesIn(stack, tenantId)) {
    for (const key of keys) {
      for (const context of Object.values(SIGNING_CONTEXT)) opened.push(openedBy(key, context(key.id), sealed));
    }
  }
  return opened.join('\n');
}

async function keysOf(stack: TestStack, tenantId: string): Promise<SubjectKey[]> {
  process.env.AWS_ACCESS_KEY_ID ??= 'development';
  process.env.AWS_SECRET_ACCESS_KEY ??= 'development';
  const database = await Database.connect({ url: stack.databaseUrl('signing_app'), applicationName: 'test' });
  const dataKeys = new DataKeys('alias/constancia-data', { region: 'us-east-1', endpoint: stack.kms.url });
  try {
    const keyring = await new PersonalData({ schema: 'signing', database, dataKeys }).tenant(tenantId);
    const rows = await inStore<WrappedKey>(
      stack,
      `select id, wrapped_key from signing.subject_key where tenant_id = $1 and wrapped_key is not null
       union all
       select id, merge_key from signing.signature_request where tenant_id = $1 and merge_key is not null`,
      [tenantId],
    );
    return rows.map(({ id, wrapped_key }) => keyring.subject(id, wrapped_key));
  } finally {
    dataKeys.close();
    await database.close();
  }
}

async function bytesIn(stack: TestStack, tenantId: string): Promise<Buffer[]> {
  const columns = await inStore<{ table: string; column: string }>(
    stack,
    `select b.table_name as table, b.column_name as column
       from information_schema.columns b join information_schema.columns t using (table_schema, table_name)
      where b.table_schema = 'signing' and b.data_type = 'bytea' and t.column_name = 'tenant_id'`,
  );
  const found: Buffer[] = [];
  for (const { table, column } of columns) {
    const sql = `select "${column}" as bytes from signing."${table}" where tenant_id = $1 and "${column}" is not null`;
    found.push(...(await inStore<{ bytes: Buffer }>(stack, sql, [tenantId])).map(({ bytes }) => bytes));
  }
  return found;
}

function openedBy(key: SubjectKey, context: string, sealed: Buffer): string {
  try {
    return key.openText(context, sealed);
  } catch {
    return '';
  }
}
