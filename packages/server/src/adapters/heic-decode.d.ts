/** The package has no types. */
declare module 'heic-decode' {
  /** An image in a file; its pixels are RGBA. */
  interface HeicImage {
    readonly width: number;
    readonly height: number;
    decode(): Promise<{ readonly width: number; readonly height: number; readonly data: Uint8ClampedArray }>;
  }
  const decode: { all(input: { buffer: Uint8Array }): Promise<HeicImage[]> };
  // oxlint-disable-next-line import/no-default-export -- The package has no other export.
  export default decode;
}
