/** The user's keys for programs. */
import { ApiKeyListResponse, CreateApiKeyResponse } from '@nivida/contract/data-out/api-keys';
import { api, apiOf, isNotFoundError } from '../../../data/server/api.ts';
import { createQueryCache } from '../../../data/server/query-cache.ts';

/** The keys without their secrets, by user. */
export const apiKeyCache = createQueryCache((userId) => apiOf(userId).get('api/keys').json(ApiKeyListResponse));

/** Makes a key and returns it. No later answer has it. */
export async function addApiKey(userId: string, name: string): Promise<string> {
  const { key } = await api.post('api/keys', { json: { name } }).json(CreateApiKeyResponse);
  void apiKeyCache.refresh(userId);
  return key;
}

/** Revokes a key. Does nothing when it is revoked already. */
export async function revokeApiKey(userId: string, id: string): Promise<void> {
  await api.delete(`api/keys/${id}`).catch((error: unknown) => {
    if (!isNotFoundError(error)) throw error;
  });
  await apiKeyCache.refresh(userId);
}
