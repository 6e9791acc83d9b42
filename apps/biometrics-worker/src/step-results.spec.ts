import type { DocumentReading } from '@constancia/document-reading';
import type { FaceComparison, LivenessVerdict } from '@constancia/face-matching';
import { describe, expect, it } from 'vitest';
import { verdictOf } from './step-results.ts';

const compared = (changes: Partial<FaceComparison>): FaceComparison => ({
  outcome: 'pass',
  reasons: [],
  score: 0.97,
  rawMetric: 0.41,
  thresholds: { accept: 0.85, review: 0.02 },
  reference: null,
  probe: null,
  engine: 'faces',
  modelVersion: '7',
  tookMs: 400,
  ...changes,
});

const alive = (changes: Partial<LivenessVerdict>): LivenessVerdict => ({
  outcome: 'pass',
  reasons: [],
  mode: 'active',
  passed: true,
  score: null,
  checks: { in_time: true },
  signals: [{ name: 'yaw', value: 21.23456 }],
  passive: null,
  portraitCopy: null,
  engine: 'faces',
  modelVersion: '7',
  tookMs: 100,
  ...changes,
});

const face = (comparison: Partial<FaceComparison>, liveness: Partial<LivenessVerdict> | null) =>
  verdictOf({ job: 'face', comparison: compared(comparison), liveness: liveness && alive(liveness) }, 'active');

describe('what a face comparison and a liveness verdict mean together', () => {
  it.each([
    ['pass', 'pass', 'pass'],
    ['pass', 'review', 'review'],
    ['review', 'pass', 'review'],
    ['pass', 'reject', 'reject'],
    ['review', 'reject', 'reject'],
    ['pass', 'retry', 'retry'],
    ['review', 'retry', 'retry'],
    ['pass', 'error', 'error'],
    ['reject', null, 'reject'],
    ['retry', null, 'retry'],
    ['error', null, 'error'],
  ] as const)('%s and %s: %s', (comparison, liveness, outcome) => {
    expect(face({ outcome: comparison }, liveness && { outcome: liveness }).outcome).toBe(outcome);
  });

  it('gives the reasons of the outcome, and the weightiest first', () => {
    const verdict = face(
      { outcome: 'review', reasons: ['doubtful_likeness'] },
      { outcome: 'reject', reasons: ['wrong_direction', 'person_changed'] },
    );
    expect(verdict).toMatchObject({
      outcome: 'reject',
      reason: 'wrong_direction',
      result: { reasons: ['wrong_direction', 'person_changed'] },
    });
  });

  it('keeps score, measure, thresholds, checks and signals, and nothing else', () => {
    expect(face({}, {}).result).toEqual({
      v: 1,
      score: 0.97,
      raw_metric: 0.41,
      thresholds: { accept: 0.85, review: 0.02 },
      liveness: {
        mode: 'active',
        passed: true,
        score: null,
        signals: ['yaw=21.235', 'in_time=true'],
        evidence: ['selfie', 'challenge'],
        passive: null,
        portrait_copy: null,
      },
      reasons: [],
      took_ms: 500,
    });
  });

  it('states what frames showed, and that there were frames', () => {
    const passive = { decision: 'suspected' as const, signs: ['flat_face' as const], frames: 5, leastDifference: 4.1, regularity: 4, borderSides: 0, tilted: 0.9, bent: 0.01, version: 'frames-1' }; // prettier-ignore
    const seen = { outcome: 'review' as const, reasons: ['spoof_suspected' as const], mode: 'basic' as const, passed: null, passive, portraitCopy: 0.4 }; // prettier-ignore
    const verdict = verdictOf({ job: 'face', comparison: compared({}), liveness: alive(seen) }, 'basic');
    expect(verdict).toMatchObject({
      outcome: 'review',
      reason: 'spoof_suspected',
      result: {
        liveness: {
          evidence: ['selfie', 'frames'],
          passive: { decision: 'suspected', signs: ['flat_face'], least_difference: 4.1, border_sides: 0 },
          portrait_copy: 0.4,
        },
      },
    });
  });

  it('names both models when they differ', () => {
    expect(face({}, { modelVersion: '8' })).toMatchObject({ engine: 'faces', modelVersion: '7+8' });
  });
});

describe('what a reading means', () => {
  const reading: DocumentReading = {
    outcome: 'review',
    reasons: ['name_unconfirmed'],
    kind: 'cc_yellow',
    fields: {},
    nameTrusted: false,
    checkDigits: {},
    quality: [],
    engine: 'documents',
    modelVersion: '1',
    tookMs: 300,
  };

  it('is what the reader says', () => {
    expect(verdictOf({ job: 'document', reading }, 'basic')).toEqual({
      outcome: 'review',
      reason: 'name_unconfirmed',
      result: {
        v: 1,
        kind: 'cc_yellow',
        fields: {},
        name_trusted: false,
        reasons: ['name_unconfirmed'],
        quality: [],
        took_ms: 300,
      },
      engine: 'documents',
      modelVersion: '1',
    });
  });

  it('is nothing when the engine failed', () => {
    const verdict = verdictOf(
      { job: 'document', reading: { ...reading, outcome: 'error', reasons: ['deadline'] } },
      'basic',
    );
    expect(verdict).toMatchObject({ outcome: 'error', reason: 'deadline', result: null });
  });
});
