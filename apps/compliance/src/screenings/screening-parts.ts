import type { ChargedWork } from '@constancia/credit-ledger';
import type { Database } from '@constancia/persistence';
import type { PersonalData } from '@constancia/personal-data';
import type { Queues } from '@constancia/queue';
import type { Lists } from '../lists/lists.ts';
import { CompiledValidations } from '../validations/compiled-validations.ts';
import { Validations } from '../validations/validations.ts';
import { Replay } from './replay.ts';
import { Screen } from './screen.ts';
import { ScreeningContext } from './screening-context.ts';
import { Screenings } from './screenings.ts';

/** All that has to do with validations and screenings in a process. */
export interface ScreeningParts {
  validations: Validations;
  compiled: CompiledValidations;
  screenings: Screenings;
  screen: Screen;
  replay: Replay;
}

export function screeningPartsOf({
  database,
  personal,
  lists,
  work,
  queues,
}: {
  database: Database;
  personal: PersonalData;
  lists: Lists;
  work: ChargedWork;
  queues: Queues;
}): ScreeningParts {
  const compiled = new CompiledValidations(database);
  return {
    validations: new Validations(database),
    compiled,
    screenings: new Screenings(database, personal),
    screen: new Screen(new ScreeningContext(database, personal), compiled, lists, work, queues),
    replay: new Replay(compiled, lists),
  };
}
