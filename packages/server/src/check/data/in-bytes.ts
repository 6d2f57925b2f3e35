/** A number of bytes as people read it, like `12 GB`. */
export function inBytes(bytes: number): string {
  const units = ['GB', 'MB', 'kB'];
  const sizes = [1e9, 1e6, 1e3];
  const index = sizes.findIndex((size) => bytes >= size);
  return index === -1 ? `${bytes} bytes` : `${Math.round(bytes / (sizes[index] ?? 1))} ${units[index]}`;
}
