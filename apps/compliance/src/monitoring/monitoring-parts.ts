import type { Database } from '@constancia/persistence';
import type { PersonalData } from '@constancia/personal-data';
import type { Queues } from '@constancia/queue';
import type { Logger, Metrics } from '@constancia/telemetry';
import type { ListContents } from '../lists/list-contents.ts';
import type { Lists } from '../lists/lists.ts';
import type { Screen } from '../screenings/screen.ts';
import { Monitoring } from './monitoring.ts';
import { RescreenJobs } from './rescreen-jobs.ts';
import { Rescreening } from './rescreening.ts';

export interface MonitoringNeeds {
  database: Database;
  personal: PersonalData;
  lists: Lists;
  contents: ListContents;
  screen: Screen;
  queues: Queues;
  logger: Logger;
  metrics: Metrics;
}

/** Continuous monitoring; told of by every process that has new lists. */
export function monitoringOf({
  database,
  personal,
  lists,
  contents,
  screen,
  queues,
  logger,
  metrics,
}: MonitoringNeeds): Monitoring {
  const jobs = new RescreenJobs(database);
  lists.onChange(() => queues.hint('rescreening', { v: 1 }, 'rescreening'));
  const rescreening = new Rescreening({ database, personal, jobs, lists, contents, screen });
  return new Monitoring({ jobs, rescreening, queues, logger, metrics });
}
