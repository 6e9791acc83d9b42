import { randomBytes } from 'node:crypto';
import { hashSecret } from '@constancia/auth';
import { PRICE } from '@constancia/contracts';
import { uuidv7 } from '@constancia/kernel';
import type { TestDatabase } from '@constancia/testing';
import type { RunningPlatform } from '../../running-platform.fixture.ts';
import { claimNames } from '../presentations/released-claims.ts';
import { TenantPresentations } from '../presentations/tenant-presentations.ts';
import { currentShareText } from '../wallet/share-texts.ts';
import { ApprovePresentation } from './approve-presentation.ts';
import type { ConsentBearer } from './consent-links.ts';
import { PresentationSweep } from './presentation-sweep.ts';
import { RefusePresentation } from './refuse-presentation.ts';

const CLAIMS = ['full_name'] as const;
const PURPOSE = 'Abrir su cuenta';

/** Who decides about whose request, and where. */
interface Between {
  platform: RunningPlatform;
  store: TestDatabase;
  tenantId: string;
  walletId: string;
}

/** A request whose person is at the point of deciding, in one browser. */
export class Decision {
  readonly id = uuidv7();
  private readonly browser = randomBytes(32).toString('base64url');
  private readonly bearer: ConsentBearer;

  private constructor(private readonly between: Between) {
    this.bearer = {
      ...({ tenantId: between.tenantId, standing: 'active', presentationId: this.id } as const),
      ...{ place: { kind: 'link', token: 'x' }, browser: this.browser },
    };
  }

  static async open(between: Between): Promise<Decision> {
    const decision = new Decision(between);
    await between.store.query(
      `insert into identity.wallet_presentation
         (id, tenant_id, tenant_name, channel, purpose, claims, max_age_days, token_hash, wallet_id, browser_hash, proved_by, expires_at,
          hold_id)
       select $1, $2, 'Banco', 'redirect', $3, $4, 365, $5, $6, $7, 'otp', now() + interval '10 minutes',
              platform_v1.hold($2, 'identity', 'presentation', $1, $8, 86400)`,
      [
        ...[decision.id, between.tenantId, PURPOSE, CLAIMS, randomBytes(32), between.walletId],
        ...[hashSecret(decision.browser), PRICE.kycReuse],
      ],
    );
    return decision;
  }

  approve(): Promise<unknown> {
    const claims = claimNames(CLAIMS);
    const { version, locale, sha256 } = currentShareText('en', { tenant_name: 'Banco', purpose: PURPOSE, claims });
    const shown = { nonce: '', claims, version, locale, sha256 };
    const origin = { ip: '198.51.100.1', userAgent: null, frameOrigin: null };
    return this.service(ApprovePresentation).approve(this.bearer, { browser: this.browser, shown, origin });
  }

  decline(tell: boolean): Promise<unknown> {
    return this.service(RefusePresentation).decline(this.bearer, this.browser, tell);
  }

  cancel(): Promise<unknown> {
    return this.service(TenantPresentations).cancel(this.between.tenantId, this.id);
  }

  async expire(): Promise<void> {
    await this.between.store.query(
      `update identity.wallet_presentation set expires_at = now() - interval '1 second' where id = $1 and status = 'pending'`,
      [this.id],
    );
    await this.service(PresentationSweep).run(new AbortController().signal);
  }

  async facts() {
    const [row] = await this.between.store.query<{ status: string; held: string }>(
      `select p.status, h.status as held from identity.wallet_presentation p join platform.credit_hold h on h.id = p.hold_id
        where p.id = $1`,
      [this.id],
    );
    return row;
  }

  private service<Service>(of: abstract new (...given: never[]) => Service): Service {
    return this.between.platform.app.get<Service>(of as never, { strict: false });
  }
}
