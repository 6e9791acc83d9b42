import { type Box, type Face, type FaceFinder, type FoundFaces, SANE, SURE } from './find-faces.ts';
import { Pyramid, upsideDown } from './image/rgb-image.ts';

/**
 * The detector is also sure of most faces that are upside down, but their landmarks hardly fit the mean face: none that was seen with this
 * confidence had so small a residual.
 */
const UPRIGHT = { confidence: 0.8, residual: 0.05 };

export interface FoundPortrait extends FoundFaces {
  /** The picture that the face is upright in. */
  upright: Pyramid;
  /** Whether that is the picture turned by 180 degrees. */
  turned: boolean;
}

/**
 * The face of a document that may have been held upside down: nothing of a face on its head can be compared. Of both ways up, the one is
 * taken whose face is surer and fits better; on 17 portraits of ../shared/faces, each held both ways, that was always the right one.
 * Quarter turns are not looked at. `mayGoOn` as in FaceFinder.find.
 */
export function findPortrait(finder: FaceFinder, picture: Pyramid, mayGoOn: () => boolean): FoundPortrait {
  const found = { ...finder.find(picture, mayGoOn), upright: picture, turned: false };
  if (isUpright(found.face) || !mayGoOn()) return found;
  const upright = new Pyramid(upsideDown(picture.levels[0]));
  const isSure = (found.face?.confidence ?? 0) >= SURE;
  const other = finder.find(upright, () => !isSure && mayGoOn());
  return likelihood(other.face) > likelihood(found.face) ? { ...other, upright, turned: true } : found;
}

const isUpright = (face: Face | null): boolean =>
  face !== null && face.confidence >= UPRIGHT.confidence && face.alignment.residual <= UPRIGHT.residual;

/** A sure face counts before one that is not. */
function likelihood(face: Face | null): number {
  if (face === null) return 0;
  const fits = Math.max(0, 1 - face.alignment.residual / SANE.residual);
  return (face.confidence >= SURE ? 1 : 0) + face.confidence * fits;
}

/** A box of the turned picture in pixels of the picture. */
export const turnedBack = (box: Box, { width, height }: { width: number; height: number }): Box => ({
  left: width - box.right,
  right: width - box.left,
  top: height - box.bottom,
  bottom: height - box.top,
});
