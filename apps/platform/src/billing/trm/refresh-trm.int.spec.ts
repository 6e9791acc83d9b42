import http from 'node:http';
import { bogotaDay } from '@constancia/kernel';
import { Metrics } from '@constancia/telemetry';
import { testDatabase, type TestDatabase, testTenant } from '@constancia/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type RunningPlatform, runningPlatform } from '../../running-platform.fixture.ts';
import type { PlatformConfig } from '../../config.ts';
import { Quotes } from '../topup/quotes.ts';
import { RefreshTrm } from './refresh-trm.ts';
import { TrmRates } from './trm-rates.ts';

const today = bogotaDay(new Date());
const daysAgo = (days: number) => bogotaDay(Date.now() - days * 86_400_000);

/** Both publishers: a status and a rate each, and how often they were asked. */
interface Publishers {
  socrata: { status: number; rate: string; asked: number };
  soap: { status: number; rate: string; asked: number };
}

let publishers: Publishers;
let server: http.Server;
let database: TestDatabase;
let platform: RunningPlatform;
let url: string;

beforeEach(async () => {
  publishers = {
    socrata: { status: 200, rate: '4100.00', asked: 0 },
    soap: { status: 200, rate: '4100.50', asked: 0 },
  };
  server = http.createServer((request, response) => {
    const source = request.method === 'POST' ? publishers.soap : publishers.socrata;
    source.asked += 1;
    response.writeHead(source.status);
    const day = `${today}T00:00:00`;
    response.end(
      source === publishers.soap
        ? `<return><unit>COP</unit><validityFrom>${day}-05:00</validityFrom><validityTo>${day}-05:00</validityTo><value>${source.rate}</value><success>true</success></return>`
        : JSON.stringify([
            { valor: source.rate, unidad: 'COP', vigenciadesde: `${day}.000`, vigenciahasta: `${day}.000` },
          ]),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  database = await testDatabase();
});
afterEach(async () => {
  await platform?.close();
  server.close();
  await database.drop();
});

async function start(last?: { value: string; days: number }) {
  if (last) {
    await database.query(
      `insert into platform.trm_rate (valid_from, valid_to, value, source) values ($1, $1, $2, 'socrata')`,
      [daysAgo(last.days), last.value],
    );
  }
  platform = await runningPlatform(database);
  const job = new RefreshTrm(
    { trmSocrataUrl: url, trmSoapUrl: url } as never,
    platform.app.get(TrmRates, { strict: false }),
    { warn: () => undefined } as never,
    platform.app.get(Metrics, { strict: false }),
  );
  return { job, current: () => platform.app.get(TrmRates, { strict: false }).current() };
}

describe('the exchange rate', () => {
  it('is taken from the public register, once a day', async () => {
    const { job, current } = await start({ value: '4000', days: 1 });
    await job.run();
    expect(await current()).toMatchObject({ value: '4100.00', validFrom: today, source: 'socrata', ageDays: 0 });
    await job.run();
    expect([publishers.socrata.asked, publishers.soap.asked]).toEqual([1, 0]);
  });

  it('is taken from the Superfinanciera when the register fails', async () => {
    const { job, current } = await start({ value: '4000', days: 1 });
    publishers.socrata.status = 503;
    await job.run();
    expect(await current()).toMatchObject({ value: '4100.50', source: 'soap' });
  });

  it('that is not plausible is counted and left alone: the other source is asked, and the last rate stays', async () => {
    const { job, current } = await start({ value: '4000', days: 1 });
    publishers.socrata.rate = '4500.00';
    publishers.soap.rate = '410.00';
    await expect(job.run()).rejects.toThrow('is not believed');
    expect(await current()).toMatchObject({ value: '4000', ageDays: 1 });
    const text = await platform.app.get(Metrics, { strict: false }).text();
    expect(text).toMatch(/trm_rates_refused_total\{source="socrata",app="platform"\} 1/);
    expect(text).toMatch(/trm_rates_refused_total\{source="soap",app="platform"\} 1/);
  });

  it('is the one that is built in where none was ever fetched, and says so', async () => {
    const { current } = await start();
    expect(await current()).toMatchObject({ value: '4409.15', source: 'embedded' });
    const tenant = await testTenant(database);
    const { body } = await platform.call('/v1/billing/quote?amount_cop=100000', { key: tenant.apiKey });
    expect(body).toMatchObject({ trm_source: 'embedded', trm_valid_for: '2024-12-31', amount_credits: 2_268 });
  });

  it('is not sold at in production once it is older than five days', async () => {
    await start({ value: '4000', days: 6 });
    const rates = platform.app.get(TrmRates, { strict: false });
    const config = { environment: 'production', creditPriceUsdMicros: 10_000, topupBundles: [] as string[] };
    const quotes = new Quotes(config as unknown as PlatformConfig, rates);
    await expect(quotes.of({ amount_cop: 100_000 })).rejects.toMatchObject({
      slug: 'dependency-unavailable',
      headers: { 'Retry-After': '1800' },
    });
    await database.query(`update platform.trm_rate set valid_to = $1`, [daysAgo(5)]);
    expect(await quotes.of({ amount_cop: 100_000 })).toMatchObject({ amountCredits: 2_500 });
  });
});
