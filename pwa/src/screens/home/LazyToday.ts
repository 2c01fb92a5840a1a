import { optionalPart } from '../../ui/optional-part.ts';

// The server renders it at once; in the browser its code is a chunk of its own, and until then the rendered part stands.
const onServer = import.meta.env.SSR ? await import('./Today.tsx') : undefined;

export const Today = onServer?.Today ?? optionalPart(async () => (await import('./Today.tsx')).Today);
