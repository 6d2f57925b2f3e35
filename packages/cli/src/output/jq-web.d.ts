declare module 'jq-web' {
  /** jq compiled to WebAssembly. `raw` returns what jq prints, or undefined if that is nothing, and throws an error with what jq reports. */
  const jq: Promise<{ raw(json: string, expression: string, flags?: readonly string[]): string | undefined }>;
  export default jq;
}
