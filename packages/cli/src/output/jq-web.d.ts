declare module 'jq-web' {
  /**
   * jq compiled to WebAssembly. `raw` returns the output of jq, or undefined if there is none. Throws an error with the
   * message of jq.
   */
  const jq: Promise<{ raw(json: string, expression: string, flags?: readonly string[]): string | undefined }>;
  export default jq;
}
