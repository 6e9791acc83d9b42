import type { Provider } from '@nestjs/common';
import { Flows } from './flows/flows.ts';
import type { FlowParts } from './identity-parts.ts';
import { SessionOpening } from './sessions/open-session.ts';
import { SessionReviews } from './sessions/session-reviews.ts';
import { Sessions } from './sessions/sessions.ts';
import { AdvanceSession } from './steps/advance-session.ts';
import { ComplianceRequests } from './steps/compliance-requests.ts';

/** What the controllers of flows and sessions may ask for. Without parts only routes are read from them. */
export function flowProviders(parts: FlowParts | undefined): Provider[] {
  return [
    { provide: Flows, useValue: parts?.flows },
    { provide: Sessions, useValue: parts?.sessions },
    { provide: SessionOpening, useValue: parts?.opening },
    { provide: AdvanceSession, useValue: parts?.advance },
    { provide: SessionReviews, useValue: parts?.reviews },
    { provide: ComplianceRequests, useValue: parts?.compliance },
  ];
}
