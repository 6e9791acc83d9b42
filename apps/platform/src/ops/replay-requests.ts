import { EVENT_MODULES, type EventModule } from '@constancia/contracts';
import { ApiOptional, IsLine, OpsPageQuery, ReasonBody } from '@constancia/http';
import { ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt, Max, Min } from 'class-validator';
import { DEFAULT_MAX } from '../webhook-replays/replay-run-view.ts';
import { REPLAY_RUN_STATUSES } from '../webhook-replays/replay-run.ts';
import { IsEventTime } from './event-time.ts';

const FROM = ['failed', 'delivered'] as const;
const MAX = 1_000_000;
const MAX_RATE = 10_000;

export class ReplaysQuery extends OpsPageQuery {
  @ApiOptional()
  @IsIn(REPLAY_RUN_STATUSES)
  status?: (typeof REPLAY_RUN_STATUSES)[number];
}

export class ReplayBody extends ReasonBody {
  @ApiOptional({ description: 'The slug or the id of a tenant; or all_tenants.' })
  @IsLine(79)
  tenant?: string;

  @ApiOptional()
  @IsBoolean()
  all_tenants?: boolean;

  @ApiOptional()
  @IsIn(EVENT_MODULES)
  module?: EventModule;

  @ApiOptional()
  @IsLine(100)
  event_type?: string;

  @ApiOptional({ type: [String], default: ['failed'] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(FROM, { each: true })
  status?: (typeof FROM)[number][];

  @ApiOptional({ description: 'Events from this time on: a date-time, or a date (UTC).' })
  @IsEventTime()
  since?: string;

  @ApiOptional({ description: 'Events before this time: a date-time, or a date (UTC).' })
  @IsEventTime()
  until?: string;

  @ApiOptional({ description: 'Deliveries a second.' })
  @IsInt()
  @Min(1)
  @Max(MAX_RATE)
  rate?: number;

  @ApiOptional({ default: DEFAULT_MAX })
  @IsInt()
  @Min(1)
  @Max(MAX)
  max?: number;

  @ApiOptional({ description: 'Only count.' })
  @IsBoolean()
  dry_run?: boolean;
}
