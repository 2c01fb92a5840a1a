import { expect, test } from 'vitest';
import { startApp } from '../support/start-app.ts';

const FINGERPRINT = Array.from({ length: 32 }, (_, byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');

test('/.well-known/assetlinks.json names the Android app of the setting, and is 404 without it', async () => {
  for (const env of [{}, { ANDROID_APP: `in.example.nivida ${FINGERPRINT}` }]) {
    const app = await startApp({ now: new Date('2026-11-10T06:00:00Z'), env });
    try {
      const { status, headers, json } = await app.get('/.well-known/assetlinks.json');
      if (!('ANDROID_APP' in env)) {
        expect(status).toBe(404);
        continue;
      }
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(json).toEqual([
        {
          relation: ['delegate_permission/common.handle_all_urls'],
          target: {
            namespace: 'android_app',
            package_name: 'in.example.nivida',
            sha256_cert_fingerprints: [FINGERPRINT],
          },
        },
      ]);
    } finally {
      await app.close();
    }
  }
});
