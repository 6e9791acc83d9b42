/**
 * A person signs in to an application with OpenID Connect, one after the other: the requests of the browser and of the application's server,
 * as processor time of the platform for one sign-in, and as time for the person. The person has a session (signing in by mailed code waits
 * for a mail, which is no figure of ours): first with nothing to ask, then with the page that asks for a verification.
 */
import { fetchUserInfo, skipSubjectCheck } from 'openid-client';
import { grantCredits, NO_LIMITS, signUp, startDeployment } from '../e2e/deployment.fixture.ts';
import { personWithWallet } from '../e2e/openid/person.fixture.ts';
import { PersonBrowser } from '../e2e/openid/person-browser.fixture.ts';
import { RelyingParty } from '../e2e/openid/relying-party.fixture.ts';
import { cpuSecondsOf } from './cpu-time.ts';
import { type BenchRow, median, report } from './measure.ts';

const WARM_UP = 20;
const SIGN_INS = Number(process.env.BENCH_ROUNDS ?? 200);
const EMAIL = 'ana@canary.example';

const env = { ...NO_LIMITS, RATE_LIMIT_SIGN_IN: '1000000', TRUSTED_PROXY_HOPS: '1', LOG_LEVEL: 'info' };
const stack = await startDeployment({ apps: ['platform'], env, durable: true });
try {
  const tenant = await signUp(stack);
  await grantCredits(stack, tenant, 10_000_000);
  await personWithWallet(stack, tenant, EMAIL);
  const party = new RelyingParty(stack, tenant, new PersonBrowser(stack, EMAIL), EMAIL);
  report([
    await signIns(party, 'Sign-in with nothing to ask', { scope: 'openid' }),
    await signIns(party, 'Sign-in with consent and verified claims', { scope: 'openid kyc' }),
  ]);
} finally {
  await stack.close();
}

async function signIns(party: RelyingParty, name: string, more: Record<string, string>): Promise<BenchRow> {
  const config = await party.usual();
  const once = async () => {
    const tokens = await party.tokens(config, more);
    await fetchUserInfo(config, tokens.access_token, skipSubjectCheck);
  };
  for (let nth = 0; nth < WARM_UP; nth++) await once();
  const { pid } = stack.app('platform');
  const before = cpuSecondsOf(pid);
  const times: number[] = [];
  for (let nth = 0; nth < SIGN_INS; nth++) {
    const started = performance.now();
    await once();
    times.push(performance.now() - started);
  }
  const cpuMs = ((cpuSecondsOf(pid) - before) * 1_000) / SIGN_INS;
  const p50 = `${median(times).toFixed(1)} ms for the person (p50)`;
  return { name, ours: `${cpuMs.toFixed(1)} ms of processor time`, other: p50, ratio: null, goal: '≤ 30 ms' };
}
