import { Module } from '@nestjs/common';
import { SubjectsModule } from '../subjects/subjects.module.ts';
import { ReviewSession } from './review-session.ts';
import { SessionPictures } from './session-pictures.ts';
import { SessionReviewResultProcessor } from './session-review-result.processor.ts';
import { SessionReviews } from './session-reviews.ts';
import { ShowPicture } from './show-picture.ts';

/** Decisions of people about sessions, and the pictures that they compare. */
@Module({
  imports: [SubjectsModule],
  controllers: [ReviewSession, ShowPicture],
  providers: [SessionReviews, SessionReviewResultProcessor, SessionPictures],
})
export class ReviewsModule {}
