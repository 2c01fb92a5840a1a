import './own-channels.ts';
import { afterEach } from 'vitest';
import { closeTestPages } from './src/ui/test-page.tsx';

afterEach(closeTestPages);
