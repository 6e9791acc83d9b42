import { Module } from '@nestjs/common';
import { IdentityStoreModule } from '../identity-store.module.ts';
import { CloneFlow } from './clone-flow.ts';
import { Flows } from './flows.ts';
import { ListFlows } from './list-flows.ts';
import { PublishFlow } from './publish-flow.ts';
import { PutSteps } from './put-steps.ts';
import { ShowFlow } from './show-flow.ts';

@Module({
  imports: [IdentityStoreModule],
  controllers: [ListFlows, ShowFlow, CloneFlow, PutSteps, PublishFlow],
  providers: [Flows],
})
export class FlowsModule {}
