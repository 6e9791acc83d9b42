import { Get, Module, Req } from '@nestjs/common';
import { OPS_ROLES, type OpsCaller } from '@constancia/telemetry';
import type { Request } from '../request/request-state.ts';
import { answer, OpsAnswer } from './ops-answers.ts';
import { Caller, OpsController, OpsOperation } from './ops-controller.ts';
import { accessOf } from './ops-listener.ts';
import { roleOf } from './ops-roles.ts';

const INDEX = '/ops';
const { list, object, orNull, text } = answer;
const ROLE = answer.choice(OPS_ROLES);

/** GET /ops: what the process offers to operators, and what the caller may do. */
@OpsController('ops')
export class ListOperations {
  @Get()
  @OpsOperation('what this process offers')
  @OpsAnswer(
    200,
    object({
      module: orNull(text),
      operator: object({ name: text, roles: list(ROLE) }),
      actions: list(object({ method: text, path: text, about: text, role: ROLE })),
    }),
  )
  listOperations(@Req() request: Request, @Caller() { name, roles }: OpsCaller) {
    const actions = request.server.constancia.routes.of('ops').flatMap((route) => {
      const { method, pattern, ops } = route;
      if (ops === undefined || method === 'HEAD' || pattern === INDEX) return [];
      return [{ method, path: pattern, about: ops.summary, role: roleOf(route) }];
    });
    return { module: accessOf(request.raw).module ?? null, operator: { name, roles: [...roles] }, actions };
  }
}

/** The operators' API of an app: import it beside the modules whose controllers are OpsControllers. */
@Module({ controllers: [ListOperations] })
export class OpsModule {}
