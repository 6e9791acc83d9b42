import { canonicalJson } from '@constancia/kernel';
import type { ListCode } from '@constancia/reference-data';
import { DEFAULT_THRESHOLD, type Hit } from '@constancia/name-screening';
import {
  type CompiledValidation,
  type Decision,
  DECISIONS,
  type Evaluation,
  type Facts,
  type FatfStatus,
  type Finding,
  gapsOnce,
  type RelatedParty,
  type SubjectHistory,
  type SubjectPayload,
  type SubjectType,
} from '@constancia/rule-graph';
import { type Found, lookUp, matchesOf, type NameLists, type Person } from './look-up.ts';
import { type FoundParty, relatedParties } from './related-parties.ts';

/** The lists that one screening sees. */
export interface ScreenedLists {
  set: NameLists;
  versions: Readonly<Partial<Record<ListCode, string>>>;
  fatf: ReadonlyMap<string, FatfStatus>;
}

/** Everything that an assessment rests on. */
export interface Assessed {
  subjectType: SubjectType;
  /** Checked (payloadErrors). */
  payload: SubjectPayload;
  /** Day in America/Bogota. */
  screenedOn: string;
  lists: ScreenedLists;
  history: SubjectHistory | null;
  validation: Pick<CompiledValidation, 'evaluate'>;
  /** DEFAULT_THRESHOLD by default; a replay passes the stored one. */
  hitThreshold?: number;
  /** Which of somebody's hits a person found to be someone else. `party` as in OutcomeHit. */
  isDismissed: (hit: Hit, party: string | null, person: Person) => boolean;
}

/** A hit in a result. */
export interface OutcomeHit {
  list: ListCode;
  entry_id: string;
  name: string;
  matched_name: string;
  score: number;
  /** JSON Pointer of the party in the payload; null: the subject itself. */
  party: string | null;
  programmes: string[];
  role: Hit['role'];
  identifier_matched: boolean;
  evidence: Hit['evidence'];
}

/** A match below the threshold. */
export type OutcomeNearMiss = Pick<OutcomeHit, 'list' | 'entry_id' | 'name' | 'matched_name' | 'score' | 'party'>;

/** What a screening finds: the part of its answer that a replay recomputes. */
export interface ScreeningOutcome extends Evaluation {
  hits: OutcomeHit[];
  near_misses: OutcomeNearMiss[];
  list_versions: Partial<Record<ListCode, string>>;
}

/** Somebody's hit, as found. */
export interface PersonHit {
  hit: Hit;
  party: string | null;
  person: Person;
}

export interface Assessment {
  facts: Facts;
  outcome: ScreeningOutcome;
  /** The hits that count, and those that were dismissed before. */
  counting: PersonHit[];
  dismissed: PersonHit[];
  /** Payload fields of names that could not be compared with the lists. */
  namesNotCompared: string[];
}

/** The canonical text of an outcome: equal outcomes, equal bytes. */
export const outcomeText = (outcome: ScreeningOutcome): string => canonicalJson(outcome);

/** Rule code of the finding that no rule made: somebody's name could not be compared with the lists. */
export const NAME_NOT_COMPARABLE = 'NAME-NOT-COMPARABLE';

/** Looks everybody up and evaluates the rules. Pure: equal input, equal outcome to the byte. */
export function assess(input: Assessed): Assessment {
  const { payload, subjectType, screenedOn, lists, history, hitThreshold = DEFAULT_THRESHOLD } = input;
  const people = peopleOf(payload, subjectType).map((person) => lookedUp(person, input));
  const [subject, ...parties] = people as [LookedUp, ...LookedUp[]];
  const facts: Facts = {
    subjectType,
    payload,
    screenedOn,
    hitThreshold,
    matches: subject.found && matchesOf(subject.found),
    relatedParties: relatedParties(payload) && parties.map(partyFacts),
    fatf: fatfOf(people, lists.fatf),
    history,
  };
  const namesNotCompared = people.flatMap(({ found, party }) => (found?.flags.length ? [fieldOf(party)] : []));
  const found = people.flatMap(({ found, party }) => (found ? [{ found, party: party?.pointer ?? null }] : []));
  const outcome: ScreeningOutcome = {
    ...failingClosed(tellingMissingName(input.validation.evaluate(facts), payload), namesNotCompared),
    hits: found.flatMap(({ found: { hits }, party }) => hits.map((hit) => hitOf(hit, party))),
    near_misses: found.flatMap(({ found: { nearMisses }, party }) => nearMisses.map((hit) => nearMissOf(hit, party))),
    list_versions: { ...lists.versions },
  };
  return {
    facts,
    outcome,
    counting: people.flatMap(({ found, ...rest }) => (found ? found.hits.map((hit) => personHit(hit, rest)) : [])),
    dismissed: people.flatMap(({ dismissed, ...rest }) => dismissed.map((hit) => personHit(hit, rest))),
    namesNotCompared,
  };
}

interface Sought {
  person: Person;
  /** The party; absent for the subject itself. */
  party?: FoundParty;
  kind: SubjectType | undefined;
}

interface LookedUp extends Sought {
  found: Found | null;
  dismissed: Hit[];
}

function peopleOf(payload: SubjectPayload, kind: SubjectType): Sought[] {
  const parties = (relatedParties(payload) ?? []).map((party) => ({ person: party.party, party, kind: undefined }));
  return [{ person: payload, kind }, ...parties];
}

function lookedUp(sought: Sought, { lists, isDismissed }: Assessed): LookedUp {
  const found = lookUp(lists.set, sought.person, sought.kind);
  if (!found) return { ...sought, found, dismissed: [] };
  const pointer = sought.party?.pointer ?? null;
  const dismissed = found.hits.filter((hit) => isDismissed(hit, pointer, sought.person));
  if (dismissed.length === 0) return { ...sought, found, dismissed };
  return { ...sought, found: { ...found, hits: found.hits.filter((hit) => !dismissed.includes(hit)) }, dismissed };
}

function partyFacts({ found, party }: LookedUp): RelatedParty {
  const { role, pointer, party: named } = party as FoundParty;
  return {
    role,
    pointer,
    ...(named.country_code !== undefined && { countryCode: named.country_code.toUpperCase() }),
    ...(named.ownership_percent !== undefined && { ownershipPercent: named.ownership_percent }),
    ...matchesOf(found ?? { hits: [], nearMisses: [] }),
  };
}

function fatfOf(people: LookedUp[], statuses: ReadonlyMap<string, FatfStatus>): Record<string, FatfStatus> {
  const countries = people.flatMap(({ person }) => person.country_code?.toUpperCase() ?? []);
  return Object.fromEntries(
    [...new Set(countries)].sort().flatMap((country) => {
      const status = statuses.get(country);
      return status === undefined ? [] : [[country, status]];
    }),
  );
}

/**
 * A name that could not be compared is no name without hits: it is reported as a gap, and a person has to look, whatever the rules
 * say. `fields`: of such names.
 */
export function failingClosed(evaluation: Evaluation, fields: readonly string[]): Evaluation {
  if (fields.length === 0) return evaluation;
  const findings = fields.map((field): Finding => ({
    rule_code: NAME_NOT_COMPARABLE,
    node_id: field,
    decision: 'review',
    score: 0,
    reason: 'El nombre no se puede comparar con las listas: corríjalo o revise el caso.',
  }));
  return {
    ...evaluation,
    decision: moreSevere(evaluation.decision, 'review'),
    findings: [...evaluation.findings, ...findings],
    data_gaps: gapsOnce([...evaluation.data_gaps, ...fields.map((field) => ({ field, kind: 'invalid' as const }))]),
  };
}

/** Nobody was looked for by a name that was not given: that is said even where no rule asks for the lists. */
function tellingMissingName(evaluation: Evaluation, { full_name }: SubjectPayload): Evaluation {
  if (full_name !== undefined) return evaluation;
  return { ...evaluation, data_gaps: gapsOnce([...evaluation.data_gaps, { field: 'full_name', kind: 'missing' }]) };
}

const fieldOf = (party: FoundParty | undefined): string =>
  party === undefined ? 'full_name' : `${party.pointer.slice(1).replaceAll('/', '.')}.full_name`;

function moreSevere(a: Decision, b: Decision): Decision {
  return DECISIONS.indexOf(a) >= DECISIONS.indexOf(b) ? a : b;
}

function personHit(hit: Hit, { party, person }: Pick<Sought, 'party' | 'person'>): PersonHit {
  return { hit, party: party?.pointer ?? null, person };
}

function hitOf(hit: Hit, party: string | null): OutcomeHit {
  const { programmes, role, identifierMatched, evidence } = hit;
  return { ...nearMissOf(hit, party), programmes, role, identifier_matched: identifierMatched, evidence };
}

function nearMissOf({ list, entryId, name, matchedName, score }: Hit, party: string | null): OutcomeNearMiss {
  return { list, entry_id: entryId, name, matched_name: matchedName, score, party };
}
