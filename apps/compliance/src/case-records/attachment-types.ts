/** What may be attached to a case, and how names of such files end. */
export const ATTACHMENT_ENDINGS = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
} as const;
export type AttachmentType = keyof typeof ATTACHMENT_ENDINGS;
export const ATTACHMENT_TYPES = Object.keys(ATTACHMENT_ENDINGS) as AttachmentType[];

/** Of one file, and of one case. */
export const ATTACHMENT_BYTES = 10 * 1024 * 1024;
export const MOST_ATTACHMENTS = 20;

/** The type that a Content-Type header names, without its parameters; undefined for another one. */
export function attachmentTypeOf(contentType: string | undefined): AttachmentType | undefined {
  const plain = contentType?.split(';')[0]?.trim().toLowerCase();
  return ATTACHMENT_TYPES.find((type) => type === plain);
}
