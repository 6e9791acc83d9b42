import {
  afterNumber,
  answer,
  ApiOptional,
  IsLine,
  OpsAnswer,
  OpsController,
  OpsOperation,
  OpsPageQuery,
  page,
} from '@constancia/http';
import { Get, Query } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Matches, Max, Min, ValidateIf } from 'class-validator';
import type { OperatorAct } from './operator-act.entity.ts';
import { ACT, CHAIN } from './platform-answers.ts';
import { MAX_INT32 } from '@constancia/contracts';
import { type ChainedEvent, Database, verifyChain } from '@constancia/persistence';

const PAGE = 2_000;
const isHeadGiven = ({ seq, hash }: HeadQuery): boolean => seq !== undefined || hash !== undefined;

class AuditQuery extends OpsPageQuery {
  @ApiOptional()
  @IsLine(128)
  operator?: string;

  @ApiOptional({ example: 'delivery.replayed' })
  @IsLine(100)
  action?: string;
}

/** A head of the log that was noted elsewhere: both, or neither. */
class HeadQuery {
  @ApiPropertyOptional()
  @ValidateIf(isHeadGiven)
  @IsInt()
  @Min(1)
  @Max(MAX_INT32)
  seq?: number;

  @ApiPropertyOptional()
  @ValidateIf(isHeadGiven)
  @Matches(/^[0-9a-f]{64}$/, { message: 'must be the 64 characters of a hash' })
  hash?: string;
}

/** What operators did, and whether the log of it is whole. */
@OpsController('ops/audit')
export class AuditActions {
  constructor(private readonly database: Database) {}

  @Get()
  @OpsOperation('what operators did, newest first')
  @OpsAnswer(200, answer.page(ACT))
  async listActs(@Query() query: AuditQuery) {
    const { operator, action, limit } = query;
    const rows = await this.database.query<OperatorAct>('select * from platform.ops_acts($1, $2, $3, $4)', [
      operator,
      action,
      afterNumber(query),
      limit + 1,
    ]);
    const { data, next_cursor } = page(rows, limit, ({ seq }) => [seq]);
    return { data: data.map(actView), next_cursor };
  }

  @Get('verify')
  @OpsOperation('whether the log of it is whole; with seq and hash, whether it still holds a head noted elsewhere')
  @OpsAnswer(200, CHAIN)
  async verifyActs(@Query() { seq, hash }: HeadQuery) {
    const known = seq === undefined || hash === undefined ? [] : [{ seq, hash }];
    const acts = await this.all();
    const verdict = verifyChain(acts, known);
    return verdict.valid ? { ...verdict, acts: acts.length } : verdict;
  }

  private async all(): Promise<ChainedEvent[]> {
    const acts: ChainedEvent[] = [];
    for (;;) {
      const rows = await this.database.query<OperatorAct>('select * from platform.ops_acts_after($1, $2)', [
        acts.at(-1)?.seq ?? 0,
        PAGE,
      ]);
      for (const row of rows) acts.push(actView(row));
      if (rows.length < PAGE) return acts;
    }
  }
}

/** As it is hashed (libs/persistence, hashChain). */
function actView({ seq, type, at, operator, tenant_id, data, prev_hash, hash }: OperatorAct) {
  return {
    seq,
    type,
    at: at.toISOString(),
    operator,
    tenant_id,
    data: JSON.parse(data) as unknown,
    prev_hash,
    hash,
  };
}
