/** Resolves in a task of its own, so that the browser handles input and paints before the work goes on. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
