import { describe, expect, it } from 'vitest';
import { implausibility } from './plausible-rate.ts';
import { rateOfSoap, rateOfSocrata, socrataUrl, soapRequest } from './trm-sources.ts';
import { TRM_SEED } from './trm-seed.ts';

const rate = (value: string, validFrom = '2026-11-24', validTo = validFrom) => ({ value, validFrom, validTo });

describe('an exchange rate is believed', () => {
  const last = rate('4000', '2026-11-21', '2026-11-23');
  it.each([
    ['4400', last, null],
    ['3600', last, null],
    ['4400.0001', last, /10 % a day/],
    ['3599.9999', last, /10 % a day/],
    ['1000', undefined, null],
    ['999.9999', undefined, /outside/],
    ['10000', undefined, null],
    ['10000.0001', undefined, /outside/],
    ['4700', rate('4000', '2026-11-20', '2026-11-22'), null], // two days
    ['4000', TRM_SEED, null],
  ])('%s after %j: %s', (value, before, expected) => {
    const why = implausibility(rate(value), before);
    if (expected === null) expect(why).toBeNull();
    else expect(why).toMatch(expected);
  });

  it('not with days that make no sense', () => {
    expect(implausibility(rate('4000', '2026-11-24', '2026-11-20'), undefined)).toMatch(/days/);
  });
});

describe('the sources of the exchange rate', () => {
  it('reads the public register, over a weekend', () => {
    const text = JSON.stringify([
      {
        valor: '4123.45',
        unidad: 'COP',
        vigenciadesde: '2026-11-21T00:00:00.000',
        vigenciahasta: '2026-11-23T00:00:00.000',
      },
    ]);
    expect(rateOfSocrata(text)).toEqual({ value: '4123.45', validFrom: '2026-11-21', validTo: '2026-11-23' });
    const url = new URL(socrataUrl('https://www.datos.gov.co/resource/32sa-8pi3.json', '2026-11-24'));
    expect(url.searchParams.get('$where')).toBe("vigenciadesde <= '2026-11-24T00:00:00.000'");
  });

  it('reads the service of the Superfinanciera', () => {
    const xml = `<?xml version="1.0"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body>
      <ns2:queryTCRMResponse xmlns:ns2="http://action.trm.services.generic.action.superfinanciera.nexura.sc.com.co/"><return>
      <id>1</id><unit>COP</unit><validityFrom>2026-11-21T00:00:00-05:00</validityFrom><validityTo>2026-11-23T00:00:00-05:00</validityTo>
      <value>4123.45</value><success>true</success></return></ns2:queryTCRMResponse></soap:Body></soap:Envelope>`;
    expect(rateOfSoap(xml)).toEqual({ value: '4123.45', validFrom: '2026-11-21', validTo: '2026-11-23' });
    expect(soapRequest('2026-11-24')).toContain('<tcrmQueryAssociatedDate>2026-11-24</tcrmQueryAssociatedDate>');
  });

  it.each([
    ['an empty list', () => rateOfSocrata('[]')],
    ['no JSON', () => rateOfSocrata('<html>')],
    [
      'a rate with a comma',
      () => rateOfSocrata('[{"valor":"4,123.45","vigenciadesde":"2026-11-24","vigenciahasta":"2026-11-24"}]'),
    ],
    [
      'a day that is none',
      () => rateOfSocrata('[{"valor":"4123.45","vigenciadesde":"2026-13-24","vigenciahasta":"2026-11-24"}]'),
    ],
    ['a failure', () => rateOfSoap('<return><success>false</success></return>')],
    ['another unit', () => rateOfSoap('<return><unit>USD</unit><value>1</value></return>')],
    ['an entity', () => rateOfSoap('<return><unit>COP</unit><value>&x;</value></return>')],
  ])('refuses %s', (_, read) => expect(read).toThrow());
});
