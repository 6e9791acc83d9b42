import { isDay } from '@constancia/kernel';
import { tenThousandths } from './decimal.ts';
import type { PublishedRate } from './plausible-rate.ts';

/** Of the public register datos.gov.co: dataset 32sa-8pi3, values as texts, days as local date-times. Throws for anything else. */
export function rateOfSocrata(text: string): PublishedRate {
  const [row] = JSON.parse(text) as Record<string, unknown>[];
  if (typeof row !== 'object' || row === null) throw new TypeError('the register answered no rate');
  return rate({ value: row.valor, from: row.vigenciadesde, to: row.vigenciahasta });
}

/** The newest rate that is valid on a day or before it. */
export function socrataUrl(address: string, day: string): string {
  const url = new URL(address);
  url.searchParams.set('$select', 'valor,unidad,vigenciadesde,vigenciahasta');
  url.searchParams.set('$where', `vigenciadesde <= '${day}T00:00:00.000'`);
  url.searchParams.set('$order', 'vigenciadesde DESC');
  url.searchParams.set('$limit', '1');
  return url.href;
}

/** The request of TCRMServicesWebService (Superfinanciera). */
export function soapRequest(day: string): string {
  return (
    '<?xml version="1.0" encoding="UTF-8"?>' +
    '<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/" xmlns:act="http://action.trm.services.generic.action.superfinanciera.nexura.sc.com.co/">' +
    `<soapenv:Header/><soapenv:Body><act:queryTCRM><tcrmQueryAssociatedDate>${day}</tcrmQueryAssociatedDate></act:queryTCRM></soapenv:Body>` +
    '</soapenv:Envelope>'
  );
}

/** Its answer: four elements are read by name, nothing is expanded, so a document type or an entity in it means nothing. */
export function rateOfSoap(xml: string): PublishedRate {
  const element = (name: string) => new RegExp(`<(?:\\w+:)?${name}>\\s*([^<&]{1,40}?)\\s*</`).exec(xml)?.[1];
  if (element('success') === 'false' || element('unit') !== 'COP') throw new TypeError('the service answered no rate');
  return rate({ value: element('value'), from: element('validityFrom'), to: element('validityTo') });
}

function rate({ value, from, to }: { value: unknown; from: unknown; to: unknown }): PublishedRate {
  const [validFrom, validTo] = [String(from).slice(0, 10), String(to).slice(0, 10)];
  const text = String(value).trim();
  tenThousandths(text);
  if (!isDay(validFrom) || !isDay(validTo)) throw new TypeError('a rate has the days that it is valid on');
  return { validFrom, validTo, value: text };
}
