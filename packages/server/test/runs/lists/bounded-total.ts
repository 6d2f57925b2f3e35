/** What a list with `total=bounded` says that counts up to `most` of this many records. */
export function boundedTotal(records: number, most: number): { total: number; totalIsExact: boolean } {
  return { total: Math.min(records, most), totalIsExact: records <= most };
}
