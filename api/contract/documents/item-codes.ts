/** Serial numbers and codes of items, such as '2.8.1'. */

/** Whether a code continues another: '2.8.1' and '2.8 (a)' continue '2.8', '2.81' does not. */
export const continuesCode = (code: string, of: string): boolean =>
  of !== '' && code.length > of.length && code.startsWith(of) && /^[./\-( ]/.test(code.slice(of.length));
