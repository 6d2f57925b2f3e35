const bars = '▁▂▃▄▅▆▇█';

/**
 * Numbers as a line of bars, at most `width` characters. If there are more numbers, neighbours are added up. The
 * highest bar is the highest number.
 */
export function sparkline(values: readonly number[], width: number): string {
  const size = Math.max(1, Math.ceil(values.length / width));
  const sums = Array.from({ length: Math.ceil(values.length / size) }, (_, index) =>
    values.slice(index * size, (index + 1) * size).reduce((sum, value) => sum + value, 0),
  );
  const highest = Math.max(1, ...sums);
  return sums.map((sum) => bars[Math.ceil((sum / highest) * (bars.length - 1))]).join('');
}
