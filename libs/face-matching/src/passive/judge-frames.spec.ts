import { describe, expect, it } from 'vitest';
import { type FrameFindings, judgeFrames } from './judge-frames.ts';
import type { HeadMotion } from './planarity.ts';

const motion = (changes: Partial<HeadMotion>): HeadMotion => ({
  headPoints: 60,
  sidePoints: 20,
  moved: 3,
  tilted: 0.6,
  bent: 0.5,
  sceneBent: 0.8,
  ...changes,
});

const found = (changes: Partial<FrameFindings>): FrameFindings => ({
  frames: 5,
  leastDifference: 3,
  regularity: [4, 4, 5, 4, 4],
  borderSides: [0, 0],
  motions: [motion({ tilted: 0.2, bent: 0.15 }), motion({})],
  samePerson: true,
  ...changes,
});

describe('frames of a capture', () => {
  it.each<[string, Partial<FrameFindings>, string, string[]]>([
    ['of a head that turns', {}, 'live', []],
    ['of a head that hardly moves', { motions: [motion({ tilted: 0.05, bent: 0.04 })] }, 'undetermined', []],
    ['of a plane that is tilted', { motions: [motion({ tilted: 0.9, bent: 0.02 })] }, 'suspected', ['flat_face']],
    ['of a plane that is only shifted', { motions: [motion({ moved: 9, tilted: 0.03, bent: 0.01 })] }, 'undetermined', []], // prettier-ignore
    ['of which too few points are found again', { motions: [motion({ headPoints: 17, bent: 0.01 })] }, 'undetermined', []], // prettier-ignore
    ['of which two are one picture', { leastDifference: 0 }, 'suspected', ['repeated_frame']],
    ['with a pattern in two of them', { regularity: [30, 4, 4, 4, 25] }, 'suspected', ['screen_pattern']],
    ['with a pattern in one of them', { regularity: [30, 4, 4, 4, 4] }, 'live', []],
    ['with borders on all sides', { borderSides: [4, 4] }, 'suspected', ['device_border']],
    ['with borders on three sides, as in a door', { borderSides: [3, 3] }, 'live', []],
    ['of another person than the selfie', { samePerson: false }, 'suspected', ['other_person']],
    ['without a face', { samePerson: null, leastDifference: 0 }, 'undetermined', []],
    ['of which two are readable', { frames: 2 }, 'undetermined', []],
  ])('%s', (_, changes, decision, signs) => {
    expect(judgeFrames(found(changes))).toEqual({ decision, signs });
  });
});
