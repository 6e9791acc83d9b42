import { shape } from '@constancia/contracts';
import { ApiOptional } from '@constancia/http';
import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';

const REMINDER_LIMITS = { days: 90, most: 10, defaultMost: 3 } as const;
const DAY_MS = 86_400_000;

/** When signers who have not signed are reminded, as an envelope keeps it. */
export interface Reminders {
  after_days: number;
  every_days: number;
  most: number;
}

export class RemindersBody {
  @ApiProperty({ description: 'Days from the turn of a signer to the first reminder.', example: 2 })
  @IsInt()
  @Min(1)
  @Max(REMINDER_LIMITS.days)
  after_days: number;

  @ApiOptional({ description: 'Days between two reminders; left out: `after_days`.', example: 3 })
  @IsInt()
  @Min(1)
  @Max(REMINDER_LIMITS.days)
  every_days?: number;

  @ApiOptional({ default: REMINDER_LIMITS.defaultMost, description: 'Reminders that one signer gets at most.' })
  @IsInt()
  @Min(1)
  @Max(REMINDER_LIMITS.most)
  most?: number;
}

export class RemindersView {
  @ApiProperty({ ...shape.count(REMINDER_LIMITS.days, 1), example: 2 })
  after_days: number;

  @ApiProperty({ ...shape.count(REMINDER_LIMITS.days, 1), example: 3 })
  every_days: number;

  @ApiProperty({ ...shape.count(REMINDER_LIMITS.most, 1), example: 3 })
  most: number;
}

export function remindersOf(body: RemindersBody): Reminders {
  const { after_days, every_days = after_days, most = REMINDER_LIMITS.defaultMost } = body;
  return { after_days, every_days, most };
}

/** When a signer whose turn comes now is reminded first; null: not at all. */
export function firstReminderAt(reminders: Reminders | null, now: Date): Date | null {
  return reminders && daysAfter(now, reminders.after_days);
}

export function daysAfter(at: Date, days: number): Date {
  return new Date(at.getTime() + days * DAY_MS);
}
