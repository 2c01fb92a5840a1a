/** Validates the text of a push without Valibot, which would be larger than the whole service worker. */
import type { PushPayload, TenderPatch } from '@nivida/contract/push/push';

/** The notification that a push asks for. */
export type PushText = PushPayload['notification'];

type ObjectFields = Record<string, unknown>;

const isObject = (value: unknown): value is ObjectFields => typeof value === 'object' && value !== null;
const areStringFields = (fields: ObjectFields, names: readonly string[]) =>
  names.every((name) => typeof fields[name] === 'string');
const isTenderId = (value: unknown): value is string => typeof value === 'string' && /^\d{1,9}$/.test(value);

function isTenderPatch(value: unknown): value is TenderPatch {
  return (
    isObject(value) &&
    isTenderId(value.tenderId) &&
    Number.isSafeInteger(value.version) &&
    [value.oldClosing, value.newClosing].every((at) => typeof at === 'string' && Number.isFinite(Date.parse(at))) &&
    (value.interimClosings === undefined || Array.isArray(value.interimClosings))
  );
}

function isAction(value: unknown): value is PushText['actions'][number] {
  return isObject(value) && areStringFields(value, ['action', 'title']);
}

const filterList = <T>(value: unknown, is: (each: unknown) => each is T): T[] =>
  Array.isArray(value) ? value.filter(is) : [];

/**
 * The notification in the text of a push. Undefined when the text is foreign or broken. Broken list entries
 * are left out.
 */
export function parsePushText(text: string | undefined): PushText | undefined {
  try {
    const { notification }: ObjectFields = JSON.parse(text ?? '');
    if (!isObject(notification) || !areStringFields(notification, ['title', 'body', 'tag', 'navigate']))
      return undefined;
    const { data } = notification;
    if (!isObject(data) || !areStringFields(data, ['nid', 'rcpt', 'kind'])) return undefined;
    return {
      ...(notification as PushText),
      actions: filterList(notification.actions, isAction),
      data: {
        ...(data as PushText['data']),
        tenderIds: filterList(data.tenderIds, isTenderId),
        patches: filterList(data.patches, isTenderPatch),
      },
    };
  } catch {
    return undefined;
  }
}
