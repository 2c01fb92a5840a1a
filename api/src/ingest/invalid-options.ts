/** Thrown for invalid options before anything is read. */
export class InvalidOptionsError extends Error {
  override name = 'InvalidOptionsError';
}
