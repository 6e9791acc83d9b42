import type { Tx } from '@constancia/persistence';
import { ValidationError } from '@constancia/problem-json';
import type { ConfigurationKind } from '@constancia/tenant-export';
import { checked } from '@constancia/http';
import { IsArray, IsString, Matches } from 'class-validator';
import { Flow } from './flow.entity.ts';
import { addDraft, lockCode, publicationAudit, publish } from './flows.ts';
import { CODE_HELP, FLOW_CODE } from './list-flows.ts';
import { checkedSteps } from './step-config.ts';
import type { FlowStep } from './step-types.ts';

class FlowFile {
  @IsString()
  @Matches(FLOW_CODE, { message: CODE_HELP })
  type: string;

  @IsString()
  @Matches(FLOW_CODE, { message: CODE_HELP })
  code: string;

  @IsArray()
  steps: unknown[];
}

interface FlowContent {
  type: string;
  code: string;
  steps: FlowStep[];
}

/** Published flows, as `<type>.<code>`. */
export function flowConfiguration(tenantId: string): ConfigurationKind<FlowContent> {
  return {
    folder: 'flows',
    async current(tx) {
      const flows = await tx.manager.findBy(Flow, { tenant_id: tenantId, status: 'published' });
      return new Map(flows.map(({ type, code, steps }) => [`${type}.${code}`, { type, code, steps: filled(steps) }]));
    },
    read(content, name) {
      const { type, code, steps } = checked(content as object, FlowFile, '');
      const result = checkedSteps(steps);
      if ('errors' in result) throw new ValidationError(result.errors);
      if (name === `${type}.${code}`) return { type, code, steps: result.steps };
      const detail = 'The file must be named after type and code.';
      throw new ValidationError([{ pointer: '/code', code: 'not_allowed', detail }]);
    },
    references: ({ steps }) =>
      steps.flatMap((step, at) =>
        step.step_type === 'sarlaft'
          ? [
              {
                pointer: `/steps/${at}/config/validation_code`,
                file: `compliance/validations/${step.config.validation_code}.json`,
              },
            ]
          : [],
      ),
    async lock(tx: Tx, names) {
      for (const name of names) {
        const [type, code] = name.split('.') as [string, string];
        await lockCode(tx, tenantId, type, code);
      }
    },
    async apply(tx, { after }) {
      return { audit: publicationAudit(await publish(tx, await addDraft(tx, tenantId, after))) };
    },
  };
}

/** With the defaults of members that are newer than the flow. */
function filled(steps: FlowStep[]): FlowStep[] {
  const result = checkedSteps(steps);
  return 'errors' in result ? steps : result.steps;
}
