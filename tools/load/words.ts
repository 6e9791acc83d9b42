import type { Figures } from './meter.ts';

/** What the view shows at one moment. */
export interface Moment {
  day: number;
  elapsed: string;
  length: string;
  weekend: boolean;
  rows: readonly { name: Activity; done: number; perSecond: number; figures?: Figures }[];
  waiting: number;
  endpointFails: boolean;
  credits: number;
}

export const ACTIVITIES = ['sessions', 'screenings', 'documents', 'envelopes', 'deliveries'] as const;
export type Activity = (typeof ACTIVITIES)[number];

const EN = {
  number: new Intl.NumberFormat('en'),
  opening: 'A bank signs up: contract, circuit, flow and four webhook endpoints.',
  console: (link: string) => `Its console, signed in as the owner, once:\n\n  ${link}\n`,
  head: ['', 'done', 'a second', 'median', 'p99'],
  activities: {
    sessions: 'Customers onboarded',
    screenings: 'Screenings',
    documents: 'Documents sealed',
    envelopes: 'Envelopes, two signers',
    deliveries: 'Webhooks delivered',
  } satisfies Record<Activity, string>,
  day: (day: number, of: number, weekend: boolean) => `Day ${day} of ${of}${weekend ? ', weekend' : ''}`,
  waiting: (count: string) => `${count} webhooks wait`,
  failing: 'the endpoint of signing answers 500',
  credits: (count: string) => `${count} credits`,
  rest: 'The month is over. The endpoint works again: what waits or has failed is replayed, as on-call would.',
  verdict: 'The oracle compares what the clients were told with the store, the receivers and the documents:',
  calls: (acknowledged: string, refused: string, repeated: string) =>
    `${acknowledged} calls acknowledged, ${refused} refused, ${repeated} sent again`,
  documents: (count: string) => `${count} sealed documents fetched again, hash and signature checked`,
  receipts: (count: string) => `${count} webhooks received, bytes and signatures compared with the events`,
  nothing: 'Nothing lost, nothing done twice, nothing charged twice, every hash chain complete.',
  found: (count: string) => `${count} FOUND:`,
};

const ES: typeof EN = {
  number: new Intl.NumberFormat('es-CO'),
  opening: 'Un banco se registra: contrato, circuito, flujo y cuatro endpoints de webhooks.',
  console: (link) => `Su consola, como propietario, una vez:\n\n  ${link}\n`,
  head: ['', 'hechos', 'por segundo', 'mediana', 'p99'],
  activities: {
    sessions: 'Clientes vinculados',
    screenings: 'Consultas',
    documents: 'Documentos sellados',
    envelopes: 'Sobres, dos firmantes',
    deliveries: 'Webhooks entregados',
  },
  day: (day, of, weekend) => `Día ${day} de ${of}${weekend ? ', fin de semana' : ''}`,
  waiting: (count) => `${count} webhooks esperan`,
  failing: 'el endpoint de firma responde 500',
  credits: (count) => `${count} créditos`,
  rest: 'El mes terminó. El endpoint funciona otra vez: lo que espera o falló se reenvía, como lo haría quien está de guardia.',
  verdict: 'El oráculo compara lo que se respondió a los clientes con la base, los receptores y los documentos:',
  calls: (acknowledged, refused, repeated) =>
    `${acknowledged} llamadas aceptadas, ${refused} rechazadas, ${repeated} enviadas otra vez`,
  documents: (count) => `${count} documentos sellados descargados otra vez, con hash y firma verificados`,
  receipts: (count) => `${count} webhooks recibidos, con bytes y firmas comparados con los eventos`,
  nothing: 'Nada se perdió, nada se hizo dos veces, nada se cobró dos veces, y toda cadena de hashes está completa.',
  found: (count) => `${count} HALLAZGOS:`,
};

export type Words = typeof EN;
export const wordsIn = (locale: string): Words => (locale === 'es-CO' ? ES : EN);

const COLUMNS = [26, 10, 12, 10, 10] as const;

/** The live view of a moment: lines of equal columns. */
export function viewOf(moment: Moment, days: number, words: Words): string[] {
  const { number } = words;
  const line = (cells: readonly string[]) =>
    cells.map((cell, index) => (index === 0 ? cell.padEnd(COLUMNS[0]) : cell.padStart(COLUMNS[index] ?? 0))).join('');
  const milliseconds = (value: number) => `${number.format(Math.round(value))} ms`;
  return [
    `${words.day(moment.day, days, moment.weekend)} · ${moment.elapsed} / ${moment.length}`,
    '',
    line(words.head),
    ...moment.rows.map(({ name, done, perSecond, figures }) =>
      line([
        words.activities[name],
        number.format(done),
        number.format(Math.round(perSecond * 10) / 10),
        ...(figures === undefined ? [] : [milliseconds(figures.p50), milliseconds(figures.p99)]),
      ]),
    ),
    '',
    [
      words.credits(number.format(moment.credits)),
      words.waiting(number.format(moment.waiting)),
      ...(moment.endpointFails ? [words.failing] : []),
    ].join(' · '),
  ];
}
