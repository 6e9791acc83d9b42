import { MATCHER_VERSION } from '@constancia/name-screening';
import { EVALUATOR_VERSION } from '@constancia/rule-graph';
import { Injectable } from '@nestjs/common';
import { Lists, UnknownListVersion } from '../lists/lists.ts';
import type { PinnedLists } from '../lists/pinned-lists.ts';
import { CompiledValidations } from '../validations/compiled-validations.ts';
import { assess, outcomeText, type ScreeningOutcome } from './assess.ts';
import type { ScreeningRow } from './sealed-screening.ts';

/** Why a screening cannot be computed again here. */
export interface NotReplayable {
  code: 'list_version_gone' | 'other_matcher' | 'other_evaluator' | 'other_rules';
  detail: string;
}

/** What came out of it. */
export interface Replayed {
  /** Equal to the stored result, to the byte. */
  identical: boolean;
  outcome: ScreeningOutcome;
}

/** Computes stored screenings again, from nothing but what is stored. */
@Injectable()
export class Replay {
  constructor(
    private readonly validations: CompiledValidations,
    private readonly lists: Lists,
  ) {}

  async of(row: ScreeningRow): Promise<Replayed | NotReplayable> {
    const { matcher_version, evaluator_version } = row;
    if (matcher_version !== MATCHER_VERSION)
      return otherRelease('other_matcher', 'matcher', matcher_version, MATCHER_VERSION);
    if (evaluator_version !== EVALUATOR_VERSION) {
      return otherRelease('other_evaluator', 'evaluator', evaluator_version, EVALUATOR_VERSION);
    }
    const validation = await this.validations.byUuid(row.tenant_id, row.validation_id);
    if (!validation.rulesHash.equals(row.rules_hash)) return OTHER_RULES;
    const lists = await this.listsOf(row);
    if ('code' in lists) return lists;
    const { facts } = row;
    const dismissed = new Set(
      row.dismissed.map(({ list, entry_id, party }) => JSON.stringify([list, entry_id, party])),
    );
    const { outcome } = assess({
      subjectType: facts.subjectType,
      payload: facts.payload,
      screenedOn: facts.screenedOn,
      hitThreshold: facts.hitThreshold,
      history: facts.history,
      lists,
      validation: validation.compiled,
      isDismissed: ({ list, entryId }, party) => dismissed.has(JSON.stringify([list, entryId, party])),
    });
    return { identical: outcomeText(outcome) === row.result, outcome };
  }

  private async listsOf({ list_versions, tenant_id }: ScreeningRow): Promise<PinnedLists | NotReplayable> {
    try {
      return await this.lists.at(list_versions, tenant_id);
    } catch (error) {
      if (!(error instanceof UnknownListVersion)) throw error;
      return { code: 'list_version_gone', detail: `It cannot be computed again: ${error.message}.` };
    }
  }
}

const OTHER_RULES: NotReplayable = {
  code: 'other_rules',
  detail: 'The stored rules of the validation are not those that the screening was made with.',
};

function otherRelease(
  code: NotReplayable['code'],
  what: string,
  was: string | number,
  is: string | number,
): NotReplayable {
  return { code, detail: `The screening was made with ${what} ${was}; this is ${is}.` };
}
