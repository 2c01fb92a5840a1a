/** Lets tests keep their temporary files in memory, where it has room. */
export function keepTemporaryFilesInMemory(): void;
