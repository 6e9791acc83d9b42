import { shape } from '@constancia/contracts';
import {
  ApiActor,
  ApiOptional,
  ApiProblems,
  CurrentPrincipal,
  type Principal,
  RequireScope,
  WhileClosing,
} from '@constancia/http';
import { Conflict, NotFound, StateConflict, ValidationError } from '@constancia/problem-json';
import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty, ApiTags } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, ArrayUnique, IsArray, IsString, Length, MaxLength } from 'class-validator';
import { CASE_ACTION_SCOPES } from '../case-records/case-states.ts';
import { CASE_ID_EXAMPLE } from '../example-ids.ts';
import { caseRequest } from '../cases/act-on-case.ts';
import { AssignCaseBody } from '../cases/assign-case.ts';
import { assignment } from '../cases/assignment.ts';
import { CASE_ETAG } from '../cases/case-view.ts';
import { type CaseRequest, Cases, etagOf, refusal } from '../cases/cases.ts';

/** Cases that one request assigns at most: a page of the list. */
const MOST_CASES = 100;

export class AssignCasesBody extends AssignCaseBody {
  @ApiProperty({ description: 'The cases, in the order in which they are assigned.', example: [CASE_ID_EXAMPLE] })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MOST_CASES)
  @ArrayUnique()
  @IsString({ each: true })
  @Length(1, 64, { each: true })
  case_ids: string[];

  @ApiOptional({
    description: 'The `etag` of each case, in the same order: those that somebody changed since are not assigned.',
    example: ['"v3"'],
  })
  @IsArray()
  @ArrayMaxSize(MOST_CASES)
  @IsString({ each: true })
  @MaxLength(CASE_ETAG.maxLength, { each: true })
  etags?: string[];
}

const REFUSALS = ['not-found', 'state-conflict', 'conflict'] as const;

export class CaseAssignmentView {
  @ApiProperty({ ...shape.text(64), example: CASE_ID_EXAMPLE })
  case_id: string;

  @ApiProperty({
    type: 'integer',
    format: 'int32',
    minimum: 200,
    maximum: 409,
    enum: [200, 404, 409],
    description: 'What POST /v1/cases/{id}/assign would answer.',
    example: 200,
  })
  status: number;

  @ApiProperty({ description: 'false: it was refused, or the case had this assignee already.' })
  changed: boolean;

  @ApiProperty({ type: 'string', enum: [...REFUSALS, null], nullable: true, description: 'Why it was refused.' })
  problem: (typeof REFUSALS)[number] | null;

  @ApiProperty({ ...shape.text(2000), type: 'string', nullable: true, description: 'The same in words.' })
  detail: string | null;

  @ApiProperty({ ...CASE_ETAG, type: 'string', nullable: true, description: 'Of the case as it stands now.' })
  etag: string | null;
}

export class CaseAssignmentList {
  @ApiProperty({ maxItems: MOST_CASES, type: [CaseAssignmentView], description: 'One for each case, in their order.' })
  data: CaseAssignmentView[];
}

/** POST /v1/cases/assignments: many cases to one person; each by itself, as POST /v1/cases/{id}/assign does it. */
@Controller('v1/cases')
@ApiTags('Cases')
export class AssignCases {
  constructor(private readonly cases: Cases) {}

  @Post('assignments')
  @RequireScope(CASE_ACTION_SCOPES.assign)
  @WhileClosing()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'assignCases',
    summary: 'Assign many cases at once',
    description:
      'Each case is assigned by itself: `data` says for each what became of it, and a refused one keeps none of the others from being ' +
      'assigned. Sent again, it changes nothing more.',
  })
  @ApiActor()
  @ApiOkResponse({ type: CaseAssignmentList })
  @ApiProblems('validation-error')
  async handle(
    @CurrentPrincipal() principal: Principal,
    @Body() body: AssignCasesBody,
    @Headers('x-actor') actor: string | undefined,
  ): Promise<CaseAssignmentList> {
    const { case_ids, etags } = body;
    if (etags && etags.length !== case_ids.length) throw oneForEach();
    const assignee = body.assignee?.trim() ?? null;
    const data: CaseAssignmentView[] = [];
    for (const [nth, id] of case_ids.entries()) {
      const request = caseRequest(principal, id, 'assign', { 'x-actor': actor });
      data.push(await this.assign(request, assignee, etags?.[nth]));
    }
    return { data };
  }

  /** `etag` is compared last: a case that has this assignee already is as it should be, also when the request is sent again. */
  private async assign(
    request: CaseRequest,
    assignee: string | null,
    etag: string | undefined,
  ): Promise<CaseAssignmentView> {
    const { caseId: case_id, actor } = request;
    let changed = false;
    try {
      const { found } = await this.cases.change(request, (locked, transition) => {
        const change = assignment(locked, transition, { assignee, actor });
        changed = change !== null;
        if (changed && etag !== undefined && etag !== etagOf(locked)) throw refusal(locked, CHANGED);
        return Promise.resolve(change);
      });
      return { case_id, status: 200, changed, problem: null, detail: null, etag: etagOf(found) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { status, slug, detail } = error;
      return { case_id, status, changed: false, problem: slug as CaseAssignmentView['problem'], detail, etag: null };
    }
  }
}

const CHANGED = 'Somebody changed the case since you read it: read it again.';

const isRefusal = (error: unknown): error is NotFound | StateConflict | Conflict =>
  error instanceof NotFound || error instanceof StateConflict || error instanceof Conflict;

const oneForEach = () =>
  new ValidationError([{ pointer: '/etags', code: 'wrong_length', detail: 'Give one for each of case_ids, or none.' }]);
