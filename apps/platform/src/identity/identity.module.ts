import { type DynamicModule, Global, Module } from '@nestjs/common';
import { FlowsModule } from './flows/flows.module.ts';
import { Flows } from './flows/flows.ts';
import { SeedRequests } from './flows/seed-default.ts';
import { IdentityDatabase } from './identity-database.ts';
import type { FlowParts } from './identity-parts.ts';
import { Erasure } from './privacy/erasure.ts';
import { PrivacyModule } from './privacy/privacy.module.ts';
import { ReviewsModule } from './reviews/reviews.module.ts';
import { SessionReviews } from './reviews/session-reviews.ts';
import { SessionOpening } from './sessions/open-session.ts';
import { SessionsModule } from './sessions/sessions.module.ts';
import { Sessions } from './sessions/sessions.ts';
import { AdvanceSession } from './steps/advance-session.ts';
import { StepsModule } from './steps/steps.module.ts';
import type { SubjectParts } from './subject-parts.ts';
import { SubjectRecords } from './subjects/subject-records.ts';
import { SubjectsModule } from './subjects/subjects.module.ts';
import { Presigns } from './uploads/presigns.ts';
import { UploadsModule } from './uploads/uploads.module.ts';
import { Uploads } from './uploads/uploads.ts';

const FEATURES = [
  FlowsModule,
  SessionsModule,
  StepsModule,
  ReviewsModule,
  SubjectsModule,
  PrivacyModule,
  UploadsModule,
];

/** Identity verification: flows, sessions and their steps, subjects and their pictures. Without parts only routes are read. */
@Global()
@Module({})
export class IdentityModule {
  static of(flows: FlowParts | undefined, subjects: SubjectParts | undefined): DynamicModule {
    const providers = [
      { provide: Flows, useValue: flows?.flows },
      { provide: Sessions, useValue: flows?.sessions },
      { provide: SessionOpening, useValue: flows?.opening },
      { provide: AdvanceSession, useValue: flows?.advance },
      { provide: SessionReviews, useValue: flows?.reviews },
      { provide: SeedRequests, useValue: flows?.compliance },
      { provide: IdentityDatabase, useValue: subjects?.identity },
      { provide: SubjectRecords, useValue: subjects?.records },
      { provide: Presigns, useValue: subjects?.presigns },
      { provide: Uploads, useValue: subjects?.uploads },
      { provide: Erasure, useValue: subjects?.erasure },
    ];
    return { module: IdentityModule, imports: FEATURES, providers, exports: providers };
  }
}
