import { createHash } from 'node:crypto';
import { uuidv7 } from '@constancia/kernel';
import type { Placeholder } from '@constancia/pdf-sealing';
import { signedEnvelopes } from '../../apps/sealing-worker/src/signed-envelopes.fixture.ts';
import type { SealingStack } from './sealing-stack.ts';

const ROLES = ['seller', 'buyer', 'witness'];

/** Documents that are to be sealed, many at once. */
export class SealingLoad {
  private constructor(
    private readonly stack: SealingStack,
    private readonly pdf: Buffer,
    private readonly templateId: string,
    private readonly values: Record<string, string>,
  ) {}

  static async of(
    stack: SealingStack,
    pdf: Buffer,
    placeholders: readonly Placeholder[],
    values: Record<string, string>,
  ): Promise<SealingLoad> {
    const sha256 = createHash('sha256').update(pdf).digest();
    const key = `templates/${stack.tenantId}/${sha256.toString('hex')}.pdf`;
    await stack.objects.put(key, pdf, { contentType: 'application/pdf' });
    const templateId = uuidv7();
    await stack.query(
      `insert into signing.template (id, tenant_id, code, name, sha256, size_bytes, storage_key, page_count, placeholders)
       values ($1, $2, 'bench', 'bench', $3, $4, $5, 1, $6)`,
      [templateId, stack.tenantId, sha256, pdf.length, key, JSON.stringify(placeholders)],
    );
    return new SealingLoad(stack, pdf, templateId, values);
  }

  /** Accepts requests in one statement, so that they stand there at once; answers the seconds to each signature, ascending. */
  async seal(count: number): Promise<number[]> {
    const ids = Array.from({ length: count }, () => uuidv7());
    await this.stack.query(
      `insert into signing.signature_request (id, tenant_id, template_id, subject_ref, merge_data, credits_debited)
       select id, $2, $3, 'bench', $4, 40 from unnest($1::uuid[]) as id`,
      [ids, this.stack.tenantId, this.templateId, JSON.stringify(this.values)],
    );
    return this.latencies('signature_request', ids, 'created_at');
  }

  /** Has the last signers of envelopes sign in one statement; answers the seconds to each seal, ascending. */
  async sealEnvelopes(count: number): Promise<number[]> {
    const { stack, pdf } = this;
    const ids = await signedEnvelopes(stack, stack, { id: stack.tenantId }, { count, roles: ROLES, pdf });
    return this.latencies(
      'envelope',
      ids,
      '(select max(s.signed_at) from signing.envelope_signer s where s.envelope_id = r.id)',
    );
  }

  /** Hints each and waits until all are sealed. Asks seldom: it shares the machine. */
  private async latencies(table: 'signature_request' | 'envelope', ids: string[], since: string): Promise<number[]> {
    for (const id of ids) this.stack.hint(id);
    for (;;) {
      const [open] = await this.stack.query<{ left: number; most_attempts: number }>(
        `select count(*)::int as left, coalesce(max(attempts), 0) as most_attempts
           from signing.${table} where status in ('pending', 'sealing')`,
      );
      if ((open?.most_attempts ?? 0) > 1) throw new Error('a document was tried twice: this machine is too slow');
      if (open?.left === 0) break;
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    const sealed = await this.stack.query<{ seconds: number }>(
      `select extract(epoch from r.signed_at - ${since})::float as seconds
         from signing.${table} r where r.id = any ($1) and r.status in ('signed', 'sealed') order by 1`,
      [ids],
    );
    if (sealed.length !== ids.length) throw new Error('a document failed');
    return sealed.map(({ seconds }) => seconds);
  }
}
