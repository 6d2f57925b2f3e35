/** The pattern of `like` and `ilike` for texts that contain this text. */
export function patternOf(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
}
