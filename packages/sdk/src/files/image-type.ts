const signatures: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF....WEBP/s],
  ['image/heic', /^....ftyp(?:heic|heix|hevc|hevx|heim|heis|mif1|msf1)/s],
];

/**
 * The media type of an image, from its first 12 bytes. Null for other content. SIGNATURE and IMAGE fields need it in
 * advance.
 */
export function imageType(start: Uint8Array): string | null {
  const text = String.fromCharCode(...start.subarray(0, 12));
  return signatures.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}
