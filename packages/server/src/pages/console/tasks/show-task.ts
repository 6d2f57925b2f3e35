import type { ConsoleRequest, ConsoleView } from '../console-page.ts';
import { savedForm } from './form-state.ts';
import { renderTask } from './render-task.ts';
import { loadTask } from './task-data.ts';

/** The page on which people do a task. */
export async function showTask(request: ConsoleRequest): Promise<ConsoleView> {
  const data = await loadTask(request);
  return renderTask(request, data, savedForm(data, request.formats.timeZone));
}
