/**
 * Twelve rules of the SARLAFT catalogue on 2,000 random natural persons: our compiled validation against json-rules-engine
 * and @gorules/zen-engine (a decision table that collects). The others get facts made ready for them (age in years, list
 * codes); ours starts from the stored facts. Before anything is timed, all three have to find the same on every subject.
 */
import { ZenEngine } from '@gorules/zen-engine';
import { ageOn } from '@constancia/kernel';
import type { ListCode } from '@constancia/reference-data';
import { catalogue, compileValidation } from '@constancia/rule-graph';
import type { Facts, Rule } from '@constancia/rule-graph';
import { Engine } from 'json-rules-engine';
import type { NestedCondition } from 'json-rules-engine';
import { median, report } from './measure.ts';
import type { BenchRow } from './measure.ts';

const SUBJECTS = 2_000;
const ROUNDS = 7;
const SLICE_MS = 300;
const DAY = '2026-11-21';

interface ReadyFacts {
  lists: ListCode[];
  age: number;
  country: string;
  amount: number;
  currency: string;
  kyc: string;
}

type Condition = [field: keyof ReadyFacts, operator: 'contains' | 'in' | '<' | '>=', value: string | number | string[]];

/** The rules once more, in the words of the other engines. */
const RULES: Record<string, Condition[]> = {
  'SARLAFT-ONU-001': [['lists', 'contains', 'ONU']],
  'SARLAFT-OFAC-001': [['lists', 'contains', 'OFAC']],
  'SARLAFT-EU-001': [['lists', 'contains', 'EU_SANCTIONS']],
  'SARLAFT-PEP-001': [['lists', 'contains', 'PEP']],
  'SARLAFT-FATF-001': [['country', 'in', ['KP', 'IR']]],
  'SARLAFT-FATF-002': [['country', 'in', ['MM']]],
  'SARLAFT-AGE-001': [['age', '<', 18]],
  'SARLAFT-AGE-002': [['age', '>=', 85]],
  'SARLAFT-AMT-001': [
    ['currency', 'in', ['COP']],
    ['amount', '>=', 10_000_000],
  ],
  'SARLAFT-AMT-002': [
    ['currency', 'in', ['USD', 'EUR']],
    ['amount', '>=', 5_000],
  ],
  'SARLAFT-KYC-001': [['kyc', 'in', ['pending', 'in_progress', 'manual_review', 'expired']]],
  'SARLAFT-KYC-002': [['kyc', 'in', ['rejected', 'failed']]],
};

const rules: Rule[] = catalogue()
  .filter(({ code }) => code in RULES)
  .map(({ description, ...template }) => ({ ...template, description: description.es }));
const scoreOf = new Map(rules.map(({ code, score }) => [code, score]));

/** A small generator with a fixed seed: every run sees the same people. */
let state = 20_261_121;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;

const subjects = Array.from({ length: SUBJECTS }, (): Facts => {
  const lists = (['ONU', 'OFAC', 'EU_SANCTIONS', 'PEP'] as const).filter(() => random() < 0.08);
  const born = `${1930 + Math.floor(random() * 90)}-${String(1 + Math.floor(random() * 12)).padStart(2, '0')}-15`;
  return {
    subjectType: 'natural',
    payload: {
      full_name: 'Persona Ejemplo',
      birth_date: born,
      country_code: pick(['CO', 'CO', 'CO', 'VE', 'US', 'KP', 'IR', 'MM']),
      kyc_status: pick(['approved', 'approved', 'pending', 'rejected', 'expired']),
      amount: Math.floor(random() ** 4 * 60_000_000),
      currency: pick(['COP', 'COP', 'USD', 'EUR', 'JPY']),
    },
    screenedOn: DAY,
    hitThreshold: 0.85,
    matches: {
      hits: lists.map((list) => ({ list, entryId: '1', score: 0.93, programmes: [] })),
      nearMisses: [],
    },
    relatedParties: null,
    fatf: {},
    history: null,
  };
});

const ready = subjects.map(({ payload, matches }): ReadyFacts => ({
  lists: (matches?.hits ?? []).map(({ list }) => list),
  age: ageOn(payload.birth_date as string, DAY),
  country: payload.country_code as string,
  amount: payload.amount as number,
  currency: payload.currency as string,
  kyc: payload.kyc_status as string,
}));

const compiled = compileValidation(rules);
const jsonRules = jsonRulesEngine();
const zen = new ZenEngine().createDecision(zenDecision());

/** What is compared: the rules that fired, and their sum. */
const codesText = (codes: string[]) =>
  `${codes.toSorted().join(' ')} = ${codes.reduce((sum, code) => sum + (scoreOf.get(code) as number), 0)}`;

const runJsonRules = async (nth: number) => {
  const { events } = await jsonRules.run(ready[nth] as ReadyFacts & Record<string, unknown>);
  return events.map(({ type }) => type);
};
const runZen = async (nth: number) => {
  const { result } = (await zen.evaluate(ready[nth])) as { result: { rule: string }[] };
  return result.map(({ rule }) => rule);
};

let fired = 0;
for (let nth = 0; nth < SUBJECTS; nth++) {
  const { findings, score } = compiled.evaluate(subjects[nth] as Facts);
  const ours = codesText(findings.map(({ rule_code }) => rule_code));
  const others = [codesText(await runJsonRules(nth)), codesText(await runZen(nth))];
  if (others.some((other) => other !== ours) || !ours.endsWith(` ${score}`))
    throw new Error(`The engines differ on subject ${nth}: ${[ours, ...others].join(' | ')}`);
  fired += findings.length;
}
console.log(`${SUBJECTS} subjects, ${fired} findings, the same from all three`);

const sides = {
  ours: () => rateOf((nth) => compiled.evaluate(subjects[nth] as Facts)),
  jsonRules: () => rateOfAsync(1, runJsonRules),
  zen: () => rateOfAsync(1, runZen),
  zenConcurrent: () => rateOfAsync(50, runZen),
};
const rates: Record<keyof typeof sides, number[]> = { ours: [], jsonRules: [], zen: [], zenConcurrent: [] };
for (let round = 0; round <= ROUNDS; round++)
  for (const [name, side] of Object.entries(sides) as [keyof typeof sides, () => Promise<number>][]) {
    const rate = await side();
    if (round > 0) rates[name].push(rate); // the first round only warms up
  }

const perSecond = (values: number[]) => `${Math.round(median(values)).toLocaleString('en')}/s`;
const row = (name: string, side: Exclude<keyof typeof sides, 'ours'>, goal: string): BenchRow => ({
  name: `12 rules, 2,000 subjects, evaluations per second, against ${name}`,
  ours: perSecond(rates.ours),
  other: perSecond(rates[side]),
  ratio: median(rates.ours.map((rate, round) => rate / (rates[side][round] as number))),
  goal,
});
report([
  row('json-rules-engine', 'jsonRules', '≥ 25'),
  row('zen-engine, one at a time', 'zen', '≥ 20'),
  row('zen-engine, 50 at once', 'zenConcurrent', '–'),
]);
process.exit(0);

async function rateOf(work: (nth: number) => unknown): Promise<number> {
  await Promise.resolve();
  const started = performance.now();
  let done = 0;
  while (performance.now() - started < SLICE_MS) {
    for (let nth = 0; nth < SUBJECTS; nth++) work(nth);
    done += SUBJECTS;
  }
  return done / ((performance.now() - started) / 1000);
}

async function rateOfAsync(lanes: number, work: (nth: number) => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (performance.now() - started < SLICE_MS) {
        await work(done % SUBJECTS);
        done += 1;
      }
    }),
  );
  return done / ((performance.now() - started) / 1000);
}

function jsonRulesEngine(): Engine {
  const operators = { contains: 'contains', in: 'in', '<': 'lessThan', '>=': 'greaterThanInclusive' };
  const engine = new Engine([], { allowUndefinedFacts: true });
  for (const [code, conditions] of Object.entries(RULES)) {
    const all = conditions.map(([fact, operator, value]): NestedCondition => ({
      fact,
      operator: operators[operator],
      value,
    }));
    engine.addRule({ conditions: { all }, event: { type: code } });
  }
  return engine;
}

/** A decision table in the engine's own format (JDM): a column for each field, a row for each rule. */
function zenDecision(): object {
  const fields = ['lists', 'age', 'country', 'amount', 'currency', 'kyc'] as const;
  const cellOf = ([, operator, value]: Condition): string => {
    if (operator === 'contains') return `contains(lists, '${String(value)}')`;
    if (operator === 'in') return (value as string[]).map((each) => `'${each}'`).join(', ');
    return `${operator} ${String(value)}`;
  };
  const content = {
    hitPolicy: 'collect',
    // A column without a field takes whole expressions.
    inputs: fields.map((field) => ({ id: field, name: field, ...(field !== 'lists' && { field }) })),
    outputs: [{ id: 'rule', name: 'rule', field: 'rule' }],
    rules: Object.entries(RULES).map(([code, conditions]) => ({
      _id: code,
      ...Object.fromEntries(fields.map((field) => [field, ''])),
      ...Object.fromEntries(conditions.map((condition) => [condition[0], cellOf(condition)])),
      rule: `'${code}'`,
    })),
  };
  return {
    nodes: [
      { id: 'in', type: 'inputNode', name: 'in' },
      { id: 'table', type: 'decisionTableNode', name: 'table', content },
      { id: 'out', type: 'outputNode', name: 'out' },
    ],
    edges: [
      { id: 'e1', type: 'edge', sourceId: 'in', targetId: 'table' },
      { id: 'e2', type: 'edge', sourceId: 'table', targetId: 'out' },
    ],
  };
}
