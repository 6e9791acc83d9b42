/**
 * Where one value of merge_data is drawn.
 *
 * x, y: the start of the text's baseline in PDF points (1/72 inch; of 1/72 inch × UserUnit where the page sets one), from the
 * lower-left corner of the page as a viewer shows it: its CropBox, after /Rotate. size: font size in the same unit.
 */
export interface Placeholder {
  key: string;
  /** 1-based. */
  page: number;
  x: number;
  y: number;
  size: number;
  /** Points. A wider value is drawn smaller until it fits. */
  max_width?: number;
}
