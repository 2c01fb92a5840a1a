/** Alerts: push subscriptions, preferences, push payloads and notices. Instants are ISO 8601 UTC. */
import * as v from 'valibot';
import { LANGUAGES, languages } from '../languages.ts';
import { ALERT_KINDS, MESSAGE_KINDS, NOTICE_KINDS, type NoticeKind } from './alert-kinds.ts';

export const MAX_WATCHED_TENDERS = 200;
/** The languages of alerts. */
const LOCALES = languages().map((language) => LANGUAGES[language].locale);
const MAX_MUTED_SEARCHES = 50;

const UNKNOWN_FIELD_MESSAGE = 'The body holds a field that does not belong there';
const booleanField = (name: string) => v.boolean(`${name} must be true or false`);
const tenderId = v.pipe(v.string('A tender id must be text'), v.regex(/^\d{1,9}$/, 'This is not a tender id'));
const tenderIds = v.pipe(
  v.array(tenderId, 'Tender ids must be a list'),
  v.maxLength(MAX_WATCHED_TENDERS, `At most ${MAX_WATCHED_TENDERS} tenders`),
);
const timeOfDay = v.pipe(
  v.string('A time must be text'),
  v.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'A time must be written like 21:00'),
);

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

const fieldsByKind = <Field>(fieldOf: (kind: NoticeKind) => Field) =>
  Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, fieldOf(kind)])) as Record<NoticeKind, Field>;

const kindFields = fieldsByKind(booleanField);

const preferenceFields = {
  /** If false, nothing is sent to this device. Its notices are still listed. */
  isOn: booleanField('isOn'),
  /** Kinds missing from the answer have their default. Unknown kinds are removed. */
  kinds: v.object(fieldsByKind((kind) => v.optional(booleanField(kind), ALERT_KINDS[kind].isOnByDefault))),
  /**
   * Quiet hours in `zone`; null: none. Messages wait until `until`. If a tender closes before `until` or less than an hour
   * later, its reminder or change is sent in the minute before `from`. Within the quiet hours it is sent at once, silently.
   */
  quiet: v.nullable(v.strictObject({ from: timeOfDay, until: timeOfDay }, UNKNOWN_FIELD_MESSAGE)),
  language: v.picklist(LOCALES, `The language is ${LOCALES.join(' or ')}`),
  /** Time zone of the device: 'Asia/Kolkata'. */
  zone: v.pipe(v.string('The zone must be text'), v.maxLength(64), v.check(isTimeZone, 'This time zone is not known')),
  /** New matches of saved searches: together at 18:30 in India, or as they are found. */
  matches: v.picklist(['digest', 'at-once'], 'matches is digest or at-once'),
  mutedTenders: tenderIds,
  mutedSearches: v.pipe(
    v.array(v.pipe(v.string(), v.uuid('This is not the id of a search')), 'Searches must be a list'),
    v.maxLength(MAX_MUTED_SEARCHES, `At most ${MAX_MUTED_SEARCHES} searches`),
  ),
};

/** Preferences of a device, or of an account's alert mails. */
export const AlertPreferences = v.object(preferenceFields);
export type AlertPreferences = v.InferOutput<typeof AlertPreferences>;

/** Body of `PATCH /api/push/subscriptions/{id}`, which answers `SubscriptionResponse`. Absent fields stay. */
export const AlertPreferencesChange = v.partial(
  v.strictObject(
    { ...preferenceFields, kinds: v.partial(v.strictObject(kindFields, UNKNOWN_FIELD_MESSAGE)) },
    UNKNOWN_FIELD_MESSAGE,
  ),
);
export type AlertPreferencesChange = v.InferOutput<typeof AlertPreferencesChange>;

export const DEFAULT_ALERT_PREFERENCES: AlertPreferences = {
  isOn: true,
  kinds: fieldsByKind((kind): boolean => ALERT_KINDS[kind].isOnByDefault),
  quiet: { from: '21:00', until: '07:00' },
  language: 'en-IN',
  zone: 'Asia/Kolkata',
  matches: 'digest',
  mutedTenders: [],
  mutedSearches: [],
};

/** Bytes in base64url. Some browsers add padding, which is removed. */
const base64UrlBytes = (count: number, name: string) => {
  const message = `${name} must be ${count} bytes in base64url`;
  return v.pipe(
    v.string(message),
    v.transform((text) => text.replace(/=+$/, '')),
    v.regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((count * 4) / 3)}}$`), message),
  );
};

/** A subscription as `PushSubscription.toJSON()` returns it. `pushEndpointError` validates the endpoint. */
const subscriptionFields = {
  endpoint: v.optional(
    v.pipe(
      v.string('endpoint is missing'),
      v.nonEmpty('endpoint is missing'),
      v.maxLength(1_024, 'The endpoint is too long'),
    ),
    '',
  ),
  keys: v.optional(
    v.object(
      { p256dh: v.optional(base64UrlBytes(65, 'p256dh'), ''), auth: v.optional(base64UrlBytes(16, 'auth'), '') },
      'keys must hold p256dh and auth',
    ),
    {},
  ),
  /**
   * The server's key that the browser subscribed with (`options.applicationServerKey`). Default: the current one.
   * CONFLICT for an unknown key: unsubscribe, then subscribe with the key of `GET /api/push/key`.
   */
  applicationServerKey: v.optional(base64UrlBytes(65, 'applicationServerKey')),
};

/**
 * Body of `POST /api/push/subscriptions`, signed in or not. The same endpoint and keys get the same id and a new
 * secret. CONFLICT for an endpoint that is stored with other keys.
 */
export const CreateSubscriptionRequest = v.object({
  ...subscriptionFields,
  /** Name of the device: 'Chrome on Android'. */
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'At most 100 characters')), ''),
  preferences: v.optional(AlertPreferencesChange, {}),
  /** Bookmarked tenders of a signed-out device. */
  tenderIds: v.optional(tenderIds, []),
});
export type CreateSubscriptionRequest = v.InferOutput<typeof CreateSubscriptionRequest>;

/**
 * Body of `PUT /api/push/subscriptions/{id}`: the browser's present subscription, sent at each start and after
 * `pushsubscriptionchange`. With a session the device becomes the user's. NOT_FOUND when the server has removed it:
 * `POST` again.
 */
export const UpdateSubscriptionRequest = v.object(subscriptionFields);
export type UpdateSubscriptionRequest = v.InferOutput<typeof UpdateSubscriptionRequest>;

/** Body of `PUT /api/push/subscriptions/{id}/tenders`: all bookmarks of a signed-out device. Unknown ids are ignored. */
export const WatchedTendersRequest = v.strictObject({ tenderIds }, UNKNOWN_FIELD_MESSAGE);
export type WatchedTendersRequest = v.InferOutput<typeof WatchedTendersRequest>;

/** A subscription as the server stores it. */
export const SubscriptionResponse = v.object({
  id: v.string(),
  /** Opaque tag of the recipient. A push with another `rcpt` is not for the user of this device. */
  rcpt: v.string(),
  /** The server's key that signs its pushes. When it is not the current key, subscribe again. */
  applicationServerKey: v.string(),
  preferences: AlertPreferences,
});
export type SubscriptionResponse = v.InferOutput<typeof SubscriptionResponse>;

/** Answer of `POST /api/push/subscriptions`. `secret` is sent only once. `Authorization: Device <secret>` gives access to this row only. */
export const CreateSubscriptionResponse = v.object({ ...SubscriptionResponse.entries, secret: v.string() });
export type CreateSubscriptionResponse = v.InferOutput<typeof CreateSubscriptionResponse>;

/** Answer of `GET /api/push/key`: the key for a subscription, 65 bytes in base64url. Do not store it. */
export const PushKeyResponse = v.object({ publicKey: v.string() });
export type PushKeyResponse = v.InferOutput<typeof PushKeyResponse>;

/**
 * Alert mails of an account: answer of `GET`, `PUT` and `DELETE /api/push/email`. `PUT` takes an `AlertPreferencesChange`
 * and turns them on. `preferences` is null when they are off.
 */
export const EmailAlertsResponse = v.object({ preferences: v.nullable(AlertPreferences) });
export type EmailAlertsResponse = v.InferOutput<typeof EmailAlertsResponse>;

/** A change of a bookmarked tender. A device applies it to its stored tender without a request. */
export const TenderPatch = v.object({
  tenderId: v.string(),
  /** Version of the tender after the change. A stored tender of this version or a later one needs no patch. */
  version: v.number(),
  /** Equal to `newClosing` when another field changed, or the closing was moved and moved back. */
  oldClosing: v.string(),
  newClosing: v.string(),
  /** If the patch has several changes: the closings between the old and the new one. A stored card may have one of them. */
  interimClosings: v.optional(v.array(v.string())),
});
export type TenderPatch = v.InferOutput<typeof TenderPatch>;

/**
 * The text of a push in the shape of Declarative Web Push. Browsers without it wake the service worker. At most 2,800
 * bytes as JSON.
 */
export const PushPayload = v.object({
  web_push: v.literal(8030),
  /** The service worker may change it. */
  mutable: v.literal(true),
  notification: v.object({
    title: v.string(),
    body: v.string(),
    lang: v.picklist(LOCALES),
    dir: v.literal('ltr'),
    /** A later notification with the same tag replaces this one. */
    tag: v.string(),
    /** Without sound, in the quiet hours. */
    silent: v.optional(v.literal(true)),
    /** Absolute and of this origin: the tender, or the list, with `?n=<nid>`. */
    navigate: v.string(),
    /** Buttons in this order. A message about several tenders has only 'open'. */
    actions: v.array(
      v.object({ action: v.picklist(['open', 'calendar', 'unbookmark']), title: v.string(), navigate: v.string() }),
    ),
    data: v.object({
      /** For `POST /api/push/events` only. */
      nid: v.string(),
      rcpt: v.string(),
      kind: v.picklist(MESSAGE_KINDS),
      /** As many as fit, by closing. */
      tenderIds: v.array(v.string()),
      /** Only for 'changed': as many patches as fit. */
      patches: v.array(TenderPatch),
    }),
  }),
});
export type PushPayload = v.InferOutput<typeof PushPayload>;

/** Body of `POST /api/push/events`, without sign-in. An unknown `nid` is ignored. Nothing about the sender is stored. */
export const PushEventRequest = v.strictObject(
  { nid: v.pipe(v.string(), v.regex(/^[\w-]{16,32}$/)), ev: v.picklist(['clicked', 'dismissed']) },
  UNKNOWN_FIELD_MESSAGE,
);
export type PushEventRequest = v.InferOutput<typeof PushEventRequest>;

/** One notice of the inbox. */
export const Notice = v.object({
  id: v.string(),
  /** A `NoticeKind`, or a kind of a newer server. */
  kind: v.string(),
  at: v.string(),
  readAt: v.nullable(v.string()),
  /** The tender; for 'assigned' possibly a bid that was entered by hand. */
  tenderId: v.string(),
  title: v.string(),
  closingDate: v.string(),
  closingTimeKnown: v.boolean(),
  /** Number of works of one NIT that the notice is about. */
  works: v.number(),
  /** Only for 'changed'. */
  patch: v.nullable(TenderPatch),
  /**
   * For 'changed': names of the changed fields. Also 'stage': cancelled or retendered. 'result': awarded (used for 'office'
   * too). 'package': requested documents are available. 'values': portal and documents name different estimates.
   */
  fields: v.array(v.string()),
  /** Only for 'match'. */
  searchIds: v.array(v.string()),
  /** Only for 'office': the followed office. */
  office: v.nullable(v.object({ id: v.string(), name: v.string() })),
  /** Only for 'assigned': the row of a checklist, its firm, and the page of the checklist. */
  assignment: v.optional(v.object({ row: v.string(), firm: v.string(), path: v.string() })),
});
export type Notice = v.InferOutput<typeof Notice>;

const noticeId = v.pipe(v.string('A notice id must be text'), v.regex(/^\d{1,18}$/, 'This is not the id of a notice'));

/** Query of `GET /api/notices`: notices older than the notice `before`. Default: the newest. */
export const NoticeQuery = v.object({ before: v.optional(noticeId) });
export type NoticeQuery = v.InferOutput<typeof NoticeQuery>;

/**
 * Answer of `GET /api/notices`, by session or device secret: up to 100 notices of the last 30 days, newest first, whether
 * or not a push was sent. `unread` counts all pages. `next` is the `before` of the following page; null after the last.
 */
export const NoticeListResponse = v.object({
  notices: v.array(Notice),
  unread: v.number(),
  next: v.nullable(v.string()),
});
export type NoticeListResponse = v.InferOutput<typeof NoticeListResponse>;

export const MAX_READ_NOTICES = 200;

/**
 * Body of `POST /api/notices/read`, which answers 204. Marks the notices `ids` as read. `upTo` marks all notices up to that
 * id, including those that are not on the device.
 */
export const ReadNoticesRequest = v.strictObject(
  {
    ids: v.optional(
      v.pipe(
        v.array(noticeId, 'ids must be a list'),
        v.maxLength(MAX_READ_NOTICES, `At most ${MAX_READ_NOTICES} notices`),
      ),
      [],
    ),
    upTo: v.optional(noticeId),
  },
  UNKNOWN_FIELD_MESSAGE,
);
export type ReadNoticesRequest = v.InferInput<typeof ReadNoticesRequest>;
