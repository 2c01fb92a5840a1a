/**
 * Alerts: the push subscription of a device with its preferences, what a push holds, and the list of notices. Instants
 * are ISO 8601 UTC. Over 200 lines, since most of them say what the fields mean.
 */
import * as v from 'valibot';
import { ALERT_KINDS, NOTICE_KINDS, type NoticeKind, PUSH_KINDS } from './alert-kinds.ts';

export const MAX_WATCHED_TENDERS = 200;
export const MAX_MUTED_SEARCHES = 50;

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
  /** Off: nothing is sent to this device; the notices are still listed. */
  isOn: booleanField('isOn'),
  /** A kind that an older server lacks has its default; one of a newer server is left out. */
  kinds: v.object(fieldsByKind((kind) => v.optional(booleanField(kind), ALERT_KINDS[kind].isOnByDefault))),
  /**
   * By the clock of `zone`; null: no quiet hours. What falls in between waits until `until`. A reminder or change of a
   * tender that closes before that, or less than an hour later, is sent in the minute before `from`; when it becomes
   * known within the quiet hours, at once and silently.
   */
  quiet: v.nullable(v.strictObject({ from: timeOfDay, until: timeOfDay }, UNKNOWN_FIELD_MESSAGE)),
  language: v.picklist(['en-IN', 'hi-IN'], 'The language is en-IN or hi-IN'),
  /** Of the device: 'Asia/Kolkata'. */
  zone: v.pipe(v.string('The zone must be text'), v.maxLength(64), v.check(isTimeZone, 'This time zone is not known')),
  /** New matches of saved searches: together at 18:30 in India, or each time there are some. */
  matches: v.picklist(['digest', 'at-once'], 'matches is digest or at-once'),
  mutedTenders: tenderIds,
  mutedSearches: v.pipe(
    v.array(v.pipe(v.string(), v.uuid('This is not the id of a search')), 'Searches must be a list'),
    v.maxLength(MAX_MUTED_SEARCHES, `At most ${MAX_MUTED_SEARCHES} searches`),
  ),
};

/** What one device, or an account's mails, want to be told. */
export const AlertPreferences = v.object(preferenceFields);
export type AlertPreferences = v.InferOutput<typeof AlertPreferences>;

/** Body of `PATCH /api/push/subscriptions/{id}`: what is left out stays. It answers `SubscriptionState`. */
export const AlertPreferencesChange = v.partial(
  v.strictObject(
    { ...preferenceFields, kinds: v.partial(v.strictObject(kindFields, UNKNOWN_FIELD_MESSAGE)) },
    UNKNOWN_FIELD_MESSAGE,
  ),
);
export type AlertPreferencesChange = v.InferOutput<typeof AlertPreferencesChange>;

/** What a device wants that has not said anything. */
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

/** So many bytes in base64url; what `=` some browsers add is taken off. */
const base64UrlBytes = (count: number, name: string) => {
  const message = `${name} must be ${count} bytes in base64url`;
  return v.pipe(
    v.string(message),
    v.transform((text) => text.replace(/=+$/, '')),
    v.regex(new RegExp(`^[A-Za-z0-9_-]{${Math.ceil((count * 4) / 3)}}$`), message),
  );
};

/** A subscription as `PushSubscription.toJSON()` gives it; `endpointProblem` judges the endpoint. */
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
   * The server's key that the browser subscribed with (`options.applicationServerKey`); left out it is the current one.
   * CONFLICT for one that is no longer known: unsubscribe and subscribe with that of `GET /api/push/key`.
   */
  applicationServerKey: v.optional(base64UrlBytes(65, 'applicationServerKey')),
};

/**
 * Body of `POST /api/push/subscriptions`, signed in or not. Sent again for the same endpoint and keys it gives the same
 * id and a new secret. CONFLICT for an endpoint that is held with other keys.
 */
export const CreateSubscriptionRequest = v.object({
  ...subscriptionFields,
  /** How people call the device: 'Chrome on Android'. */
  name: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(100, 'At most 100 characters')), ''),
  preferences: v.optional(AlertPreferencesChange, {}),
  /** Of a signed-out device: the tenders that it keeps. */
  tenderIds: v.optional(tenderIds, []),
});
export type CreateSubscriptionRequest = v.InferOutput<typeof CreateSubscriptionRequest>;

/**
 * Body of `PUT /api/push/subscriptions/{id}`: what the browser holds now, sent at each start and after
 * `pushsubscriptionchange`. With a session the device becomes its user's. NOT_FOUND when the server has let it go: then
 * `POST` again.
 */
export const UpdateSubscriptionRequest = v.object(subscriptionFields);
export type UpdateSubscriptionRequest = v.InferOutput<typeof UpdateSubscriptionRequest>;

/** Body of `PUT /api/push/subscriptions/{id}/tenders`: all that a signed-out device keeps; unknown ids are left out. */
export const WatchedTendersRequest = v.strictObject({ tenderIds }, UNKNOWN_FIELD_MESSAGE);
export type WatchedTendersRequest = v.InferOutput<typeof WatchedTendersRequest>;

/** A subscription as the server holds it. */
export const SubscriptionResponse = v.object({
  id: v.string(),
  /** Whose pushes this device gets, as an opaque word: a push with another `rcpt` is not for who is signed in here. */
  rcpt: v.string(),
  /** The server's key that its pushes are signed with; when it is not the current one, subscribe anew. */
  applicationServerKey: v.string(),
  preferences: AlertPreferences,
});
export type SubscriptionResponse = v.InferOutput<typeof SubscriptionResponse>;

/** Answer of `POST /api/push/subscriptions`. `secret` is told once; `Authorization: Device <secret>` opens this row alone. */
export const CreateSubscriptionResponse = v.object({ ...SubscriptionResponse.entries, secret: v.string() });
export type CreateSubscriptionResponse = v.InferOutput<typeof CreateSubscriptionResponse>;

/** Answer of `GET /api/push/key`: the key to subscribe with, base64url of 65 bytes. Never keep it: ask. */
export const PushKeyResponse = v.object({ publicKey: v.string() });
export type PushKeyResponse = v.InferOutput<typeof PushKeyResponse>;

/**
 * Alerts of an account by e-mail, for who has denied push: answer of `GET`, `PUT` and `DELETE /api/push/email`. `PUT`
 * takes a `PreferenceChange` and turns them on; null: they are off.
 */
export const EmailAlertsResponse = v.object({ preferences: v.nullable(AlertPreferences) });
export type EmailAlertsResponse = v.InferOutput<typeof EmailAlertsResponse>;

/** A change of a kept tender that a device can write into its copy without asking the server. */
export const TenderPatch = v.object({
  tenderId: v.string(),
  /** Of the tender after the change; a copy of this version or a later one needs no patch. */
  version: v.number(),
  /** Equal when something else changed. */
  oldClosing: v.string(),
  newClosing: v.string(),
});
export type TenderPatch = v.InferOutput<typeof TenderPatch>;

/**
 * The text of a push, in the shape of Declarative Web Push: a browser that knows it shows it by itself, any other wakes
 * the service worker. At most 2,800 bytes as JSON.
 */
export const PushPayload = v.object({
  web_push: v.literal(8030),
  /** The service worker may look at it first. */
  mutable: v.literal(true),
  notification: v.object({
    title: v.string(),
    body: v.string(),
    lang: v.picklist(['en-IN', 'hi-IN']),
    dir: v.literal('ltr'),
    /** A later one of the same tag takes its place. */
    tag: v.string(),
    /** In the quiet hours: shown without sound. */
    silent: v.optional(v.literal(true)),
    /** Absolute and of this origin: the tender, or the list, with `?n=<nid>`. */
    navigate: v.string(),
    /** In this order; of more than one tender 'open' alone. */
    actions: v.array(
      v.object({ action: v.picklist(['open', 'calendar', 'unbookmark']), title: v.string(), navigate: v.string() }),
    ),
    data: v.object({
      /** For `POST /api/push/events`, and nothing else. */
      nid: v.string(),
      rcpt: v.string(),
      kind: v.picklist(PUSH_KINDS),
      /** As many as fit, the first closing first. */
      tenderIds: v.array(v.string()),
      /** Of 'changed': as many as fit. */
      patches: v.array(TenderPatch),
    }),
  }),
});
export type PushPayload = v.InferOutput<typeof PushPayload>;

/** Body of `POST /api/push/events`, by anybody; what is not known is passed over. Nothing about the sender is kept. */
export const PushEventRequest = v.strictObject(
  { nid: v.pipe(v.string(), v.regex(/^[\w-]{16,32}$/)), ev: v.picklist(['clicked', 'dismissed']) },
  UNKNOWN_FIELD_MESSAGE,
);
export type PushEventRequest = v.InferOutput<typeof PushEventRequest>;

/** One notice as it is listed in the app. */
export const Notice = v.object({
  id: v.string(),
  /** A `NoticeKind`, or a kind of a newer server. */
  kind: v.string(),
  at: v.string(),
  readAt: v.nullable(v.string()),
  tenderId: v.string(),
  title: v.string(),
  closingDate: v.string(),
  closingTimeKnown: v.boolean(),
  /** Works of one NIT stand for each other: how many the notice is about. */
  works: v.number(),
  /** Of 'changed'. */
  patch: v.nullable(TenderPatch),
  /** Of 'changed': fields that changed, by their name in a tender; 'stage' when it was cancelled or is called anew, 'package' when documents that were asked for can be had. */
  fields: v.array(v.string()),
  /** Of 'match': the saved searches. */
  searchIds: v.array(v.string()),
});
export type Notice = v.InferOutput<typeof Notice>;

const noticeId = v.pipe(v.string('A notice id must be text'), v.regex(/^\d{1,18}$/, 'This is not the id of a notice'));

/** Query of `GET /api/notices`: the page of notices older than `before`, a notice id; left out, the newest. */
export const NoticeQuery = v.object({ before: v.optional(noticeId) });
export type NoticeQuery = v.InferOutput<typeof NoticeQuery>;

/**
 * Answer of `GET /api/notices`, by session or device secret: up to 100 notices of the last 30 days, the newest first; also
 * those that no push came for. `unread` counts all pages. `next` is the `before` of the following page; null after the last.
 */
export const NoticeListResponse = v.object({
  notices: v.array(Notice),
  unread: v.number(),
  next: v.optional(v.nullable(v.string()), null),
});
export type NoticeListResponse = v.InferOutput<typeof NoticeListResponse>;

export const MAX_READ_NOTICES = 200;

/**
 * Body of `POST /api/notices/read`, which answers 204: the notices `ids` were seen, and with `upTo` all notices up to
 * that id, also those that the device does not hold.
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
