import { ApiOptional } from '@constancia/http';
import { IsInt, Max, Min } from 'class-validator';

export const MAX_GRACE_SECONDS = 604_800;
export const DEFAULT_GRACE_SECONDS = 86_400;

/** How long the former secret stays valid beside the new one. */
export class RotationBody {
  @ApiOptional({
    default: DEFAULT_GRACE_SECONDS,
    description: 'Seconds for which the former one stays valid; 0 ends it at once, and an earlier grace with it.',
  })
  @IsInt()
  @Min(0)
  @Max(MAX_GRACE_SECONDS)
  grace_seconds?: number;
}
