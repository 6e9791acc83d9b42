import { CompareFacesCommand, DetectFacesCommand } from '@aws-sdk/client-rekognition';
import type { FaceDetail, Landmark, RekognitionClient } from '@aws-sdk/client-rekognition';
import { judgeComparison } from '@constancia/face-matching';
import type {
  ComparisonOptions,
  FaceBox,
  FaceComparison,
  FaceDetection,
  FaceEngine,
  FaceOptions,
  FaceThresholds,
  FoundFace,
  PictureReason,
  PictureRole,
} from '@constancia/face-matching';
import { providerPicture, type ProviderPicture } from './provider-picture.ts';
import { failureOf, shareOf } from './service-failure.ts';

/**
 * Similarity as a share of 1. Rekognition's documentation asks for 99 % where an answer bears on somebody's rights and for less where a
 * person looks as well: what lies between goes to review. Not measured here; a flow may set its own.
 */
export const REKOGNITION_THRESHOLDS: FaceThresholds = { accept: 0.97, review: 0.8 };

/** Rekognition's own scales, 0 to 100: below these a selfie is refused. */
const LEAST = { sharpness: 10, brightness: 20, eyeDistancePx: 40 };
/** A further face counts when it is this share of the largest one's width or more. */
const COUNTS_SHARE = 0.5;
/** Below, it may be a pattern. */
const LEAST_CONFIDENCE = 90;

interface Seen {
  picture: ProviderPicture;
  detection: Pick<FaceDetection, 'outcome' | 'reasons' | 'face' | 'faces'>;
}

/** Faces compared by Amazon Rekognition (DetectFaces, CompareFaces). The pictures go to AWS, which keeps none of them. */
export class RekognitionFaces implements FaceEngine {
  readonly engine = 'aws-rekognition';
  readonly modelVersion = 'CompareFaces';
  readonly thresholds = REKOGNITION_THRESHOLDS;

  constructor(private readonly client: RekognitionClient) {}

  async detect(picture: Uint8Array, role: PictureRole, { deadlineMs }: FaceOptions): Promise<FaceDetection> {
    const started = performance.now();
    const { detection } = await this.seen(picture, role, AbortSignal.timeout(Math.max(1, deadlineMs)));
    const { engine, modelVersion } = this;
    return { ...detection, engine, modelVersion, tookMs: Math.round(performance.now() - started) };
  }

  async compare(reference: Uint8Array, probe: Uint8Array, options: ComparisonOptions): Promise<FaceComparison> {
    const started = performance.now();
    const thresholds = options.thresholds ?? this.thresholds;
    const said = await this.compared(
      reference,
      probe,
      thresholds,
      AbortSignal.timeout(Math.max(1, options.deadlineMs)),
    );
    const { engine, modelVersion } = this;
    return { ...said, thresholds, engine, modelVersion, tookMs: Math.round(performance.now() - started) };
  }

  private async compared(
    reference: Uint8Array,
    probe: Uint8Array,
    thresholds: FaceThresholds,
    abortSignal: AbortSignal,
  ): Promise<Pick<FaceComparison, 'outcome' | 'reasons' | 'score' | 'rawMetric' | 'reference' | 'probe'>> {
    const [document, selfie] = await Promise.all([
      this.seen(reference, 'document', abortSignal),
      this.seen(probe, 'selfie', abortSignal),
    ]);
    const found = { reference: document.detection.face, probe: selfie.detection.face, score: null, rawMetric: null };
    for (const { detection } of [document, selfie])
      if (detection.outcome === 'error') return { ...found, outcome: 'error', reasons: detection.reasons };
    const selfieReasons = selfie.detection.reasons as PictureReason[]; // its failures were answered above
    if (selfieReasons.length === 0 && document.detection.reasons.includes('not_an_image'))
      return { ...found, outcome: 'retry', reasons: ['not_an_image'] };
    const portraitFound = document.detection.face !== null;
    const judged = (score: number | null) => judgeComparison({ portraitFound, selfieReasons, score }, thresholds);
    if (selfieReasons.length > 0 || !portraitFound) return { ...found, ...judged(null) };
    try {
      const similarity = await this.similarity(document.picture, selfie.picture, abortSignal);
      const score = shareOf(similarity);
      return { ...found, ...judged(score), score, rawMetric: similarity };
    } catch (error) {
      const failure = failureOf(error);
      return { ...found, outcome: 'error', reasons: [failure === 'deadline' ? 'deadline' : 'engine_failure'] };
    }
  }

  /** Of the largest face of the one picture with the most similar of the other, 0 to 100. */
  private async similarity(
    source: ProviderPicture,
    target: ProviderPicture,
    abortSignal: AbortSignal,
  ): Promise<number> {
    const command = new CompareFacesCommand({
      SourceImage: { Bytes: source.bytes },
      TargetImage: { Bytes: target.bytes },
      SimilarityThreshold: 0,
      QualityFilter: 'NONE',
    });
    const { FaceMatches = [] } = await this.client.send(command, { abortSignal });
    return Math.max(0, ...FaceMatches.map(({ Similarity = 0 }) => Similarity));
  }

  private async seen(bytes: Uint8Array, role: PictureRole, abortSignal: AbortSignal): Promise<Seen> {
    let picture: ProviderPicture = { bytes, width: 0, height: 0, scale: 1 };
    try {
      picture = await providerPicture(bytes);
      const command = new DetectFacesCommand({ Image: { Bytes: picture.bytes }, Attributes: ['DEFAULT'] });
      const { FaceDetails = [] } = await this.client.send(command, { abortSignal });
      return { picture, detection: detectionOf(FaceDetails, picture, role) };
    } catch (error) {
      const failure = failureOf(error);
      const aboutIt = failure === 'not_an_image';
      return {
        picture,
        detection: { outcome: aboutIt ? 'retry' : 'error', reasons: [failure as PictureReason], face: null, faces: 0 },
      };
    }
  }
}

function detectionOf(details: FaceDetail[], picture: ProviderPicture, role: PictureRole): Seen['detection'] {
  const sure = details
    .filter(({ Confidence = 0 }) => Confidence >= LEAST_CONFIDENCE)
    .map((detail) => faceOf(detail, picture))
    .sort((a, b) => b.box.width - a.box.width);
  const [largest] = sure;
  if (!largest) return { outcome: 'retry', reasons: ['no_face'], face: null, faces: 0 };
  const faces = sure.filter(({ box }) => box.width >= largest.box.width * COUNTS_SHARE).length;
  if (role === 'document') return { outcome: 'pass', reasons: [], face: largest, faces };
  if (faces > 1) return { outcome: 'retry', reasons: ['two_faces'], face: null, faces };
  const { quality } = largest;
  const reasons: PictureReason[] = [
    ...(quality.eyeDistancePx < LEAST.eyeDistancePx ? (['too_small'] as const) : []),
    ...(quality.sharpness < LEAST.sharpness ? (['blurred'] as const) : []),
    ...(quality.brightness < (LEAST.brightness * 255) / 100 ? (['too_dark'] as const) : []),
  ];
  return { outcome: reasons.length > 0 ? 'retry' : 'pass', reasons, face: largest, faces };
}

/** `sharpness` is on Rekognition's own scale, 0 to 100. */
function faceOf(detail: FaceDetail, picture: ProviderPicture): FoundFace {
  const { Confidence = 0, Landmarks = [], Pose, Quality } = detail;
  return {
    box: boxOf(detail, picture),
    confidence: shareOf(Confidence),
    quality: {
      eyeDistancePx: eyeDistancePx(Landmarks, picture),
      sharpness: Quality?.Sharpness ?? 0,
      brightness: ((Quality?.Brightness ?? 0) * 255) / 100,
      yawDegrees: Pose?.Yaw ?? 0,
      rollDegrees: Pose?.Roll ?? 0,
    },
  };
}

/** Rekognition counts in shares of the picture. */
function boxOf({ BoundingBox: box }: FaceDetail, { width, height, scale }: ProviderPicture): FaceBox {
  const px = (share: number | undefined, side: number) => Math.round((share ?? 0) * side * scale);
  return {
    x: px(box?.Left, width),
    y: px(box?.Top, height),
    width: px(box?.Width, width),
    height: px(box?.Height, height),
  };
}

function eyeDistancePx(landmarks: readonly Landmark[], { width, height, scale }: ProviderPicture): number {
  const [left, right] = ['eyeLeft', 'eyeRight'].map((eye) => landmarks.find(({ Type }) => Type === eye));
  if (!left || !right) return 0;
  const across = ((right.X ?? 0) - (left.X ?? 0)) * width;
  const down = ((right.Y ?? 0) - (left.Y ?? 0)) * height;
  return Math.round(Math.hypot(across, down) * scale);
}
