declare module 'linebreak' {
  /** The places where a text may be broken, by the rules of Unicode. */
  // biome-ignore lint/style/noDefaultExport: the package exports it so
  export default class LineBreaker {
    constructor(text: string);
    nextBreak(): { position: number; required: boolean } | null;
  }
}
