import { alignFace, applied, eyeDistance } from './align.ts';
import type { Alignment } from './align.ts';
import { cutRectangle, cutSquare } from './image/rgb-image.ts';
import type { Pyramid } from './image/rgb-image.ts';
import { DETECTOR_STEP_PX, DetectorNet } from './nets/detector-net.ts';
import type { Detection } from './nets/detector-net.ts';
import { LANDMARK_SIDE_PX, LandmarkNet } from './nets/landmark-net.ts';
import type { Point } from './nets/landmark-net.ts';

/** The longer side of the picture that is searched: the small one has every face that matters in a selfie; the other is for small portraits. */
const SEARCHED_SIDES_PX = [256, 384, 512] as const;
/** The surest face has to reach this for a search to end. The nets' own view of landmarks is the second opinion. */
export const SURE = 0.5;
const LEAST_CONFIDENCE = 0.2;
/** A second face counts when it is this sure, and this large against the largest one. */
const COUNTED = { confidence: 0.6, width: 0.4 };
/** The landmarks' cut is this much wider than the box that the detector gives. */
const CUT = 1.1;
/** Landmarks of something that is no face do not fit the mean face, or lie in a heap. */
export const SANE = { residual: 0.16, eyesPerWidth: [0.2, 0.8] } as const;

/** Edges in pixels of the picture. */
export type Box = Omit<Detection, 'confidence'>;

export interface Face {
  box: Box;
  confidence: number;
  landmarks: Point[];
  alignment: Alignment;
}

export interface FoundFaces {
  /** The largest face. */
  face: Face | null;
  /** Faces that count, the largest one included. */
  count: number;
}

export class FaceFinder {
  readonly #detector: DetectorNet;
  readonly #landmarks: LandmarkNet;

  constructor(detector: DetectorNet, landmarks: LandmarkNet) {
    this.#detector = detector;
    this.#landmarks = landmarks;
  }

  /** `mayGoOn` is asked before the slower search begins. */
  find(picture: Pyramid, mayGoOn: () => boolean): FoundFaces {
    let best: FoundFaces = { face: null, count: 0 };
    for (const side of SEARCHED_SIDES_PX) {
      if (side !== SEARCHED_SIDES_PX[0] && !mayGoOn()) break;
      const found = this.#search(picture, side);
      if (found.face && (best.face?.confidence ?? 0) < found.face.confidence) best = found;
      if ((best.face?.confidence ?? 0) >= SURE) break;
    }
    return best;
  }

  #search(picture: Pyramid, side: number): FoundFaces {
    const scale = Math.max(picture.width, picture.height) / side;
    const stepsOf = (length: number) => Math.max(1, Math.ceil(Math.round(length / scale) / DETECTOR_STEP_PX));
    const size = {
      width: stepsOf(picture.width) * DETECTOR_STEP_PX,
      height: stepsOf(picture.height) * DETECTOR_STEP_PX,
    };
    const searched = cutRectangle(picture, { a: scale, b: 0, tx: 0, ty: 0 }, size);
    const boxes = this.#detector.detect(searched, LEAST_CONFIDENCE).map((found) => scaled(found, scale));
    const largest = boxes.toSorted((a, b) => widthOf(b) - widthOf(a));
    const sure = largest.filter(({ confidence }) => confidence >= SURE);
    for (const box of sure.length > 0 ? sure : largest.slice(0, 3)) {
      const face = this.#face(picture, box);
      if (face) return { face, count: 1 + this.#others(picture, box, boxes) };
    }
    return { face: null, count: 0 };
  }

  /** Further faces that count, each looked at as closely as the first. */
  #others(picture: Pyramid, chosen: Detection, boxes: Detection[]): number {
    const counted = boxes.filter(
      (box) =>
        box !== chosen &&
        box.confidence >= COUNTED.confidence &&
        widthOf(box) >= COUNTED.width * widthOf(chosen) &&
        !holdsCentre(chosen, box) &&
        !holdsCentre(box, chosen),
    );
    return counted.filter((box) => this.#face(picture, box) !== null).length;
  }

  #face(picture: Pyramid, box: Detection): Face | null {
    const { confidence, ...edges } = box;
    const side = Math.max(widthOf(box), box.bottom - box.top) * CUT;
    const toPicture = {
      a: side / LANDMARK_SIDE_PX,
      b: 0,
      tx: (box.left + box.right - side) / 2,
      ty: (box.top + box.bottom - side) / 2,
    };
    const cut = cutSquare(picture, toPicture, LANDMARK_SIDE_PX);
    const [points = []] = this.#landmarks.find([cut]);
    const landmarks = points.map(({ x, y }) =>
      applied(toPicture, { x: x * LANDMARK_SIDE_PX, y: y * LANDMARK_SIDE_PX }),
    );
    const alignment = alignFace(landmarks);
    const eyes = eyeDistance(landmarks) / widthOf(box);
    const sane = alignment.residual <= SANE.residual && eyes >= SANE.eyesPerWidth[0] && eyes <= SANE.eyesPerWidth[1];
    return sane ? { box: edges, confidence, landmarks, alignment } : null;
  }
}

const widthOf = ({ left, right }: Box) => right - left;

function holdsCentre(box: Box, other: Box): boolean {
  const [x, y] = [(other.left + other.right) / 2, (other.top + other.bottom) / 2];
  return x > box.left && x < box.right && y > box.top && y < box.bottom;
}

function scaled({ left, top, right, bottom, confidence }: Detection, by: number): Detection {
  return { left: left * by, top: top * by, right: right * by, bottom: bottom * by, confidence };
}
