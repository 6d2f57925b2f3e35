import type { CallToolResult, Tool as WireTool } from '@modelcontextprotocol/server';
import { outline } from './outline.ts';
import type { Tool, ToolResult } from './tool.ts';

/** The most characters of a result. A longer one is cut, so that it does not fill the context of a model. */
const maximumCharacters = 24_000;

/** A tool as it is listed. It only knows this service, so its world is closed. */
export function toWireTool(tool: Tool): WireTool {
  const { name, title, description, effect, isDestructive = false, isIdempotent = false } = tool;
  const isReadOnly = effect === 'read';
  return {
    name,
    title,
    description,
    inputSchema: tool.inputSchema(),
    annotations: {
      title,
      readOnlyHint: isReadOnly,
      destructiveHint: isDestructive,
      idempotentHint: isReadOnly || isIdempotent,
      openWorldHint: false,
    },
  };
}

/** A result as a client gets it: as text for models, and as data. Data that is too long is left out, and its text cut. */
export function toWireResult({ summary, data = {} }: ToolResult): CallToolResult {
  const text = [summary, outline(data)].filter((part) => part !== '').join('\n\n');
  if (text.length <= maximumCharacters) {
    return { content: [{ type: 'text', text }], structuredContent: { ...data } };
  }
  const remedy = 'Ask for less: use filters or a smaller limit, or read one record by its id.';
  const note = `… cut after ${maximumCharacters} of ${text.length} characters. ${remedy}`;
  return { content: [{ type: 'text', text: `${text.slice(0, maximumCharacters)}\n${note}` }] };
}

/** An error that a model can act on. */
export function toWireError(message: string): CallToolResult {
  return { content: [{ type: 'text', text: message }], isError: true };
}
