/** What an operator asked for is not possible; the message says what to do instead. */
export class OperatorError extends Error {
  override name = 'OperatorError';
}
