import { Module } from '@nestjs/common';
import { CloneFlow } from './clone-flow.ts';
import { ListFlows } from './list-flows.ts';
import { PublishFlow } from './publish-flow.ts';
import { PutSteps } from './put-steps.ts';
import { SeedDefault } from './seed-default.ts';
import { ShowFlow } from './show-flow.ts';

@Module({ controllers: [SeedDefault, ListFlows, ShowFlow, CloneFlow, PutSteps, PublishFlow] })
export class FlowsModule {}
