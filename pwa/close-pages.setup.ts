import './own-channels.ts';
import { afterEach } from 'vitest';
import { closeTestPages } from './src/ui/test-page.tsx';

// React's `act` requires it.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

afterEach(closeTestPages);
