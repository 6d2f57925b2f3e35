import type { FieldType } from '@runward/contract';

/** The media type of content for which no other is detected. */
export const unknownContent = 'application/octet-stream';

/** The media type that a file is stored with. Not XML, because pages and drawings with scripts are also XML. */
export function storedType(detected: string | null): string {
  return detected === null || detected.endsWith('xml') ? unknownContent : detected;
}

const images = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** The media types that the files of a field can have. Null means any. */
export function acceptedTypes(type: FieldType): readonly string[] | null {
  if (type === 'SIGNATURE') return images;
  return type === 'IMAGE' ? [...images, 'image/heic', 'image/heif'] : null;
}

/** Whether a thumbnail can be made of a file with this media type. */
export function hasPicture(contentType: string): boolean {
  return (
    [...images, 'image/heic', 'image/heif', 'image/avif', 'image/tiff'].includes(contentType) || isVideo(contentType)
  );
}

/** Whether a media type is a video type. */
export function isVideo(contentType: string): boolean {
  return contentType.startsWith('video/');
}

/** Formats that contain other formats, such as those of office documents. */
const containers: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-cfb',
  'application/xml',
  'application/gzip',
]);

/** Formats that begin with a signature, so content without a signature cannot have them. */
const signed = /^(?:image\/(?!svg)|video\/|application\/(?:pdf|zip)$)/;

const otherNames: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/heif': 'image/heic',
  'application/x-zip-compressed': 'application/zip',
  'application/x-pdf': 'application/pdf',
  'audio/mp3': 'audio/mpeg',
  'video/x-m4v': 'video/mp4',
};

/** Whether content with this detected media type (null: none) can be what a client announced. */
export function fitsAnnouncement(announced: string, detected: string | null): boolean {
  if (announced === unknownContent) return true;
  if (detected === null) return !signed.test(announced);
  const nameOf = (type: string) => otherNames[type] ?? type;
  if (nameOf(announced) === nameOf(detected)) return true;
  return (
    containers.has(detected) && !/^(?:image\/(?!svg)|video|audio)/.test(announced) && announced !== 'application/pdf'
  );
}
