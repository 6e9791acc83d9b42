import { EVENT_MODULES, type EventModule } from '@constancia/contracts';
import { IsLine, OpsPageQuery, ReasonBody } from '@constancia/http';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMinSize, ArrayUnique, IsArray, IsBoolean, IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { DEFAULT_MAX } from '../webhook-replays/replay-run-view.ts';
import { REPLAY_RUN_STATUSES } from '../webhook-replays/replay-run.ts';
import { IsEventTime } from './event-time.ts';

const FROM = ['failed', 'delivered'] as const;
const MAX = 1_000_000;
const MAX_RATE = 10_000;

export class ReplaysQuery extends OpsPageQuery {
  @ApiPropertyOptional()
  @IsOptional()
  @IsIn(REPLAY_RUN_STATUSES)
  status?: (typeof REPLAY_RUN_STATUSES)[number];
}

export class ReplayBody extends ReasonBody {
  @ApiPropertyOptional({ description: 'The slug or the id of a tenant; or all_tenants.' })
  @IsOptional()
  @IsLine(79)
  tenant?: string;

  @ApiPropertyOptional()
  @IsOptional()
  @IsBoolean()
  all_tenants?: boolean;

  @ApiPropertyOptional()
  @IsOptional()
  @IsIn(EVENT_MODULES)
  module?: EventModule;

  @ApiPropertyOptional()
  @IsOptional()
  @IsLine(100)
  event_type?: string;

  @ApiPropertyOptional({ type: [String], default: ['failed'] })
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(FROM, { each: true })
  status?: (typeof FROM)[number][];

  @ApiPropertyOptional({ description: 'Events from this time on: a date-time, or a date (UTC).' })
  @IsOptional()
  @IsEventTime()
  since?: string;

  @ApiPropertyOptional({ description: 'Events before this time: a date-time, or a date (UTC).' })
  @IsOptional()
  @IsEventTime()
  until?: string;

  @ApiPropertyOptional({ description: 'Deliveries a second.' })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_RATE)
  rate?: number;

  @ApiPropertyOptional({ default: DEFAULT_MAX })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX)
  max?: number;

  @ApiPropertyOptional({ description: 'Only count.' })
  @IsOptional()
  @IsBoolean()
  dry_run?: boolean;
}
