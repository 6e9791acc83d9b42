import { Module } from '@nestjs/common';
import { ReviewSession } from './review-session.ts';

@Module({ controllers: [ReviewSession] })
export class ReviewsModule {}
