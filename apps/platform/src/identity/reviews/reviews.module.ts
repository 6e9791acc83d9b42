import { Module } from '@nestjs/common';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { ReviewSession } from './review-session.ts';
import { SessionReviewResultProcessor } from './session-review-result.processor.ts';
import { SessionReviews } from './session-reviews.ts';

/** Decisions of people about sessions. */
@Module({
  imports: [SubjectsModule],
  controllers: [ReviewSession],
  providers: [SessionReviews, SessionReviewResultProcessor],
})
export class ReviewsModule {}
