import type { FieldType } from '@runward/contract';

/** The media type of content that no other is detected for. */
export const unknownContent = 'application/octet-stream';

/** The media type that a file is stored with. XML is not one of them: a page or a drawing with scripts is XML as well. */
export function storedType(detected: string | null): string {
  return detected === null || detected.endsWith('xml') ? unknownContent : detected;
}

const images = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];

/** The media types that the files of a field can have; null: any. */
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

/** Whether a media type is that of a video. */
export function isVideo(contentType: string): boolean {
  return contentType.startsWith('video/');
}

/** Formats that other formats are made of, such as documents of office software. */
const containers: ReadonlySet<string> = new Set([
  'application/zip',
  'application/x-cfb',
  'application/xml',
  'application/gzip',
]);

/** Formats that begin with a signature, so that content without one is not in them. */
const signed = /^(?:image\/(?!svg)|video\/|application\/(?:pdf|zip)$)/;

const otherNames: Readonly<Record<string, string>> = {
  'image/jpg': 'image/jpeg',
  'image/heif': 'image/heic',
  'application/x-zip-compressed': 'application/zip',
  'application/x-pdf': 'application/pdf',
  'audio/mp3': 'audio/mpeg',
  'video/x-m4v': 'video/mp4',
};

/** Whether content whose media type was detected (null: none) can be what a client announced. */
export function fitsAnnouncement(announced: string, detected: string | null): boolean {
  if (announced === unknownContent) return true;
  if (detected === null) return !signed.test(announced);
  const nameOf = (type: string) => otherNames[type] ?? type;
  if (nameOf(announced) === nameOf(detected)) return true;
  return (
    containers.has(detected) && !/^(?:image\/(?!svg)|video|audio)/.test(announced) && announced !== 'application/pdf'
  );
}
