/** Keys with which programs of a user read public data. */
import { t } from '@lingui/core/macro';
import * as v from 'valibot';
import { requiredText } from '../fields.ts';

/** Maximum keys of an account that are not revoked. */
export const MAX_API_KEYS = 5;
export const MAX_KEY_NAME = 60;

/** Body of `POST /api/keys`. */
export const CreateApiKeyRequest = v.strictObject(
  { name: requiredText(() => t`Name is required`, MAX_KEY_NAME) },
  'Unknown field of a key',
);
export type CreateApiKeyRequest = v.InferOutput<typeof CreateApiKeyRequest>;

/** Calls of a key in a window that has begun; `resetsAt` is its end. */
const KeyUse = v.object({
  seconds: v.number(),
  calls: v.number(),
  limit: v.number(),
  resetsAt: v.nullable(v.string()),
});

/** A key in lists; instants in UTC. */
export const ApiKey = v.object({
  id: v.string(),
  name: v.string(),
  /** The beginning of the key. */
  hint: v.string(),
  createdAt: v.string(),
  /** At most a minute late. */
  usedAt: v.nullable(v.string()),
  use: v.array(KeyUse),
});
export type ApiKey = v.InferOutput<typeof ApiKey>;

/** Answer of `GET /api/keys`: the keys that are not revoked, the newest first. */
export const ApiKeyListResponse = v.object({ keys: v.array(ApiKey) });
export type ApiKeyListResponse = v.InferOutput<typeof ApiKeyListResponse>;

/** Answer of `POST /api/keys`. The key itself is in no other answer. */
export const CreateApiKeyResponse = v.object({ key: v.string(), id: v.string() });
export type CreateApiKeyResponse = v.InferOutput<typeof CreateApiKeyResponse>;
