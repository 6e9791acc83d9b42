import {
  AllowBearerToken,
  ApiProblems,
  type CredentialHolder,
  Holder,
  RequireScope,
  CurrentPrincipal,
  type Principal,
} from '@constancia/http';
import { Controller, Get, Param } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { PERSON_TOKEN_PREFIX } from '../subjects/person-bearer.ts';
import { SessionCallers } from './session-callers.ts';
import { SESSION_TOKEN_PREFIX } from './session-token.ts';
import {
  type AdvancedSessionView,
  ApiSessionOk,
  type PersonSessionView,
  SESSION_ID_EXAMPLE,
  SessionView,
} from './session-view.ts';
import { personSession, forCaller } from './person-view.ts';
import { Sessions } from './sessions.ts';

/** GET /v1/flows/sessions/{id}: where a session stands. */
@Controller('v1/flows/sessions')
@ApiTags('Sessions')
export class ShowSession {
  constructor(
    private readonly sessions: Sessions,
    private readonly callers: SessionCallers,
  ) {}

  @Get(':id')
  @RequireScope('identity:read')
  @AllowBearerToken(SESSION_TOKEN_PREFIX, PERSON_TOKEN_PREFIX)
  @ApiOperation({
    operationId: 'showFlowSession',
    summary: 'Show a session, with the answers gathered so far',
    description:
      'With the API key everything; with the session_token as a bearer, or an access token of the person with the scope `session:read`, what ' +
      'the person may know: step, status, what to try again, attempts left. Poll it while last_outcome is `processing`.',
  })
  @ApiParam({ name: 'id', example: SESSION_ID_EXAMPLE })
  @ApiSessionOk()
  @ApiProblems('unauthorized', 'not-found')
  async handle(
    @CurrentPrincipal() principal: Principal | undefined,
    @Holder() holder: CredentialHolder | undefined,
    @Param('id') id: string,
  ): Promise<AdvancedSessionView | PersonSessionView> {
    const caller = await this.callers.of(principal, holder, id, 'session:read');
    const { session, context } = await forCaller(caller, () => this.sessions.find(caller.tenantId, caller.sessionId));
    const view = { ...SessionView.of(session), context };
    return caller.bearer ? personSession(view) : view;
  }
}
