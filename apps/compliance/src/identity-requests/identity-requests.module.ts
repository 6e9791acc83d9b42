import { Module } from '@nestjs/common';
import { CasesModule } from '../cases/cases.module.ts';
import { ScreeningsModule } from '../screenings/screenings.module.ts';
import { IdentityRequests } from './identity-requests.ts';
import { ScreeningRequestQueueProcessor } from './screening-request-queue.processor.ts';
import { SessionReviewQueueProcessor } from './session-review-queue.processor.ts';
import { SessionReviews } from './session-reviews.ts';

/** What the identity module asks over queues. */
@Module({
  imports: [CasesModule, ScreeningsModule],
  providers: [IdentityRequests, ScreeningRequestQueueProcessor, SessionReviews, SessionReviewQueueProcessor],
})
export class IdentityRequestsModule {}
