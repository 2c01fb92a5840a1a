/** Address of a thread in the app, without the language's prefix. Answers by push and mail link to it. */
export const threadPath = (id: string): string => `/dashboard/support/${id}`;
