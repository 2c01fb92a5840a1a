/** Reads and validates the environment. No other file uses process.env. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gstinError, gstinKind } from '@nivida/contract/orders/gst';
import { PLAN_IDS, type PlanId } from '@nivida/contract/orders/plans';
import { isLoopbackHost, PUSH_HOSTS } from '@nivida/contract/push/push-endpoint';
import { STATES } from '@nivida/contract/regions/states';
import * as v from 'valibot';
import { hasPlainHost } from './plain-host.ts';
import { InvalidStorageUrlError, readStorageUrl, type StorageLocation } from './storage-location.ts';
import { isVapidKeyPair, type VapidKeys } from './vapid-keys.ts';

const wholeNumber = (min: number, max: number) =>
  v.pipe(
    v.string(),
    v.regex(/^\d{1,6}$/, `must be a whole number from ${min} to ${max}`),
    v.transform(Number),
    v.minValue(min, `must be a whole number from ${min} to ${max}`),
    v.maxValue(max, `must be a whole number from ${min} to ${max}`),
  );

/** An Android app that shows the site (Trusted Web Activity). */
export interface AndroidApp {
  packageName: string;
  /** SHA-256 fingerprints of the certificates that sign it, in upper-case hex with colons. */
  fingerprints: string[];
}

/** Minimum length of a secret. */
export const MIN_SECRET_BYTES = 32;

// These values become mail headers: they must not contain line breaks or more than one address.
const EMAIL_PATTERN = String.raw`[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+`;
const emailAddress = v.pipe(v.string(), v.regex(new RegExp(`^${EMAIL_PATTERN}$`, 'u'), 'must be one e-mail address'));
const mailSender = v.pipe(
  v.string(),
  v.regex(
    new RegExp(`^(?:${EMAIL_PATTERN}|[^\\p{Cc}<>",;:@]+ <${EMAIL_PATTERN}>)$`, 'u'),
    'must be an e-mail address, or a name and <address>',
  ),
);
/** The seller is a firm in a State. */
const isSellerGstin = (text: string) => gstinKind(text) === 'regular' && gstinError(text) === undefined;

const oneLine = (maxCharacters: number) =>
  v.pipe(
    v.string(),
    v.regex(
      new RegExp(`^\\P{Cc}{1,${maxCharacters}}$`, 'u'),
      `must be one line of at most ${maxCharacters} characters`,
    ),
  );

/** One key in base64url, or the current and the previous one with a comma between. */
const keyList = (bytes: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => text.split(',')),
    v.maxLength(2, 'must be one key, or the current and the previous one with a comma between'),
    v.everyItem(
      (key) => /^[\w-]+$/.test(key) && Buffer.from(key, 'base64url').length === bytes,
      `must be keys of ${bytes} bytes in base64url`,
    ),
  );

/** One webhook secret, or the current and the previous one with a comma between. */
const webhookSecrets = v.pipe(
  oneLine(401),
  v.transform((text) => text.split(',')),
  v.maxLength(2, 'must be one secret, or the current and the previous one with a comma between'),
  v.everyItem((secret) => secret.length >= 13 && secret.length <= 200, 'must be secrets of 13 to 200 characters'),
);

const PAYMENT_PROVIDER_NAMES = ['sandbox', 'phonepe', 'razorpay', 'none'] as const;

/** Name of a payment provider, as orders store it; 'none' takes no orders. */
export type PaymentProviderName = (typeof PAYMENT_PROVIDER_NAMES)[number];

const hasHost = (text: string) => Boolean(URL.parse(text)?.hostname);

const Environment = v.object({
  NODE_ENV: v.optional(v.picklist(['development', 'production', 'test'], 'must be development, production or test')),
  PORT: v.optional(wholeNumber(0, 65_535), '3000'),
  HOST: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), '127.0.0.1'),
  DATA_DIR: v.optional(v.pipe(v.string(), v.nonEmpty('must not be empty')), './.data'),
  DATABASE_URL: v.optional(v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\//, 'must begin with postgresql://'))),
  DATABASE_URL_DIRECT: v.optional(
    v.pipe(v.string(), v.regex(/^postgres(?:ql)?:\/\//, 'must begin with postgresql://')),
  ),
  DATABASE_URL_READ: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      v.everyItem(
        (address) => /^postgres(?:ql)?:\/\//.test(address),
        'must be addresses that begin with postgresql://, with commas between',
      ),
    ),
  ),
  PUBLIC_ORIGIN: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^https?:\/\/[^/?#\s]+$/.test(text) && hasPlainHost(URL.parse(text)),
        'must be an origin like https://example.org, without a path',
      ),
    ),
  ),
  ASSET_ORIGIN: v.optional(
    v.pipe(
      v.string(),
      v.check((text) => {
        const url = URL.parse(text);
        return /^https?:/.test(text) && hasPlainHost(url) && url.origin === text;
      }, 'must be an origin like https://cdn.example.org, without a path'),
    ),
  ),
  ANDROID_APP: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^[a-z]\w*(?:\.[a-z]\w*)+(?: [\dA-F]{2}(?::[\dA-F]{2}){31})+$/i,
        'must be a package name and SHA-256 fingerprints of its certificates, with spaces between',
      ),
      v.transform((text): AndroidApp => {
        const [packageName = '', ...fingerprints] = text.split(' ');
        return { packageName, fingerprints: fingerprints.map((each) => each.toUpperCase()) };
      }),
    ),
  ),
  ROLE: v.optional(v.picklist(['web', 'worker', 'all'], 'must be web, worker or all'), 'all'),
  DEMO: v.optional(v.picklist(['on', 'off'], 'must be on or off')),
  DRAIN_SECONDS: v.optional(wholeNumber(0, 60)),
  NIVIDA_COMMAND: v.optional(v.string()),
  METRICS_TOKEN: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.~+/=-]{20,200}$/, 'must be 20 to 200 letters, digits or . _ ~ + / = -')),
  ),
  METRICS_PORT: v.optional(wholeNumber(0, 65_535)),
  FEEDS: v.optional(v.string()),
  IMAP_URL: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^imaps?:\/\//, 'must begin with imaps:// or imap://'),
      v.check(hasHost, 'must name a host, like imaps://USER:PASSWORD@mail.example.org/INBOX'),
    ),
  ),
  IMAP_SENDERS: v.optional(v.string()),
  AWARD_NAMES: v.optional(v.picklist(['on', 'off'], 'must be on or off'), 'off'),
  OCDS_PREFIX: v.optional(
    v.pipe(v.string(), v.regex(/^ocds-[a-z0-9]{6}$/, 'must be a prefix like ocds-213czf')),
    'ocds-nivida',
  ),
  DATA_LICENSE: v.optional(
    v.pipe(v.string(), v.regex(/^https:\/\/\S+$/, 'must begin with https://'), v.check(hasHost, 'must name a host')),
  ),
  DATA_ATTRIBUTION: v.optional(oneLine(300)),
  UPDATE_URL: v.optional(
    v.pipe(v.string(), v.regex(/^https:\/\/\S+$/, 'must begin with https://'), v.check(hasHost, 'must name a host')),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: v.optional(
    v.pipe(
      v.string(),
      v.check(
        (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
        'must be an address like http://localhost:4318',
      ),
      v.transform((text) => text.replace(/\/+$/, '')),
    ),
  ),
  LOG_LEVEL: v.optional(v.picklist(['info', 'warn'], 'must be info or warn')),
  TRUST_PROXY: v.optional(wholeNumber(0, 10), '0'),
  SESSION_KEYS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      v.maxLength(2, 'must be one key, or the current and the previous one with a comma between'),
      v.everyItem(
        (key) => Buffer.byteLength(key) >= MIN_SECRET_BYTES,
        `must be keys of at least ${MIN_SECRET_BYTES} bytes`,
      ),
      v.check(([current, previous]) => current !== previous, 'must not be the same key twice'),
    ),
  ),
  OTP_PEPPER: v.optional(
    v.pipe(v.string(), v.minBytes(MIN_SECRET_BYTES, `must be at least ${MIN_SECRET_BYTES} bytes`)),
  ),
  MAIL_URL: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://'),
      v.check(hasHost, 'must name a host, like smtp://mail.example.org:587, with USER:PASSWORD@ before it'),
    ),
  ),
  MAIL_TLS: v.optional(v.picklist(['required', 'optional'], 'must be required or optional'), 'required'),
  MAIL_CONNECTIONS: v.optional(wholeNumber(1, 100), '10'),
  MAIL_FROM: v.optional(mailSender),
  SUPPORT_EMAIL: v.optional(emailAddress),
  PRIVACY_EMAIL: v.optional(emailAddress),
  DPO_EMAIL: v.optional(emailAddress),
  SOCIAL_URL: v.optional(
    v.pipe(v.string(), v.regex(/^https:\/\/\S+$/, 'must begin with https://'), v.check(hasHost, 'must name a host')),
  ),
  GOOGLE_CLIENT_ID: v.optional(
    v.pipe(v.string(), v.regex(/^[\w.-]{1,200}$/, 'must be a client id like 123-abc.apps.googleusercontent.com')),
  ),
  LEGAL_NAME: v.optional(oneLine(200)),
  LEGAL_ADDRESS: v.optional(oneLine(500)),
  SUPPORT_PHONE: v.optional(
    v.pipe(v.string(), v.regex(/^\+?[\d ()-]{6,24}$/, 'must be a phone number like +91 177 123 4567')),
  ),
  GRIEVANCE_NAME: v.optional(oneLine(200)),
  GRIEVANCE_EMAIL: v.optional(emailAddress),
  FILES_URL: v.optional(v.string()),
  S3_ACCESS_KEY_ID: v.optional(oneLine(200)),
  S3_SECRET_ACCESS_KEY: v.optional(oneLine(200)),
  BACKUP_URL: v.optional(v.string()),
  BACKUP_S3_ACCESS_KEY_ID: v.optional(oneLine(200)),
  BACKUP_S3_SECRET_ACCESS_KEY: v.optional(oneLine(200)),
  BACKUP_RECIPIENTS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      v.everyItem(
        (key) => /^age1[a-z\d]{20,3000}$/.test(key),
        'must be public keys of age, like age1…, with commas between',
      ),
    ),
  ),
  BACKUP_DAYS: v.optional(wholeNumber(1, 3650), '14'),
  BACKUP_MONTHS: v.optional(wholeNumber(0, 120), '12'),
  GSTIN: v.optional(
    v.pipe(
      v.string(),
      v.check(
        isSellerGstin,
        'must be the 15-character GSTIN of a firm, with the code of its State and its check digit',
      ),
    ),
  ),
  GST_SAC: v.optional(v.pipe(v.string(), v.regex(/^\d{4,6}$/, 'must be a code of 4 to 6 digits')), '998431'),
  PAYMENT_PROVIDER: v.optional(v.picklist(PAYMENT_PROVIDER_NAMES, 'must be sandbox, phonepe, razorpay or none')),
  PAYMENT_FALLBACK: v.optional(v.picklist(['phonepe', 'razorpay'], 'must be phonepe or razorpay')),
  FREE_PLAN: v.optional(v.picklist(PLAN_IDS, 'must be basic, premium or enterprise')),
  REFUND_TWO_PERSON_LIMIT: v.optional(wholeNumber(0, 10_000_000), '5000'),
  PAYMENT_SANDBOX_PORT: v.optional(wholeNumber(0, 65_535)),
  PHONEPE_CLIENT_ID: v.optional(oneLine(200)),
  PHONEPE_CLIENT_SECRET: v.optional(oneLine(200)),
  PHONEPE_CLIENT_VERSION: v.optional(wholeNumber(1, 999_999), '1'),
  PHONEPE_WEBHOOK_SECRET: v.optional(v.pipe(oneLine(200), v.minLength(13, 'must be at least 13 characters'))),
  PHONEPE_ENV: v.optional(v.picklist(['sandbox', 'production'], 'must be sandbox or production')),
  RAZORPAY_KEY_ID: v.optional(
    v.pipe(v.string(), v.regex(/^rzp_(?:live|test)_\w{1,100}$/, 'must be a key id like rzp_live_… or rzp_test_…')),
  ),
  RAZORPAY_KEY_SECRET: v.optional(oneLine(200)),
  RAZORPAY_WEBHOOK_SECRET: v.optional(webhookSecrets),
  VAPID_PUBLIC_KEY: v.optional(keyList(65)),
  VAPID_PRIVATE_KEY: v.optional(keyList(32)),
  VAPID_SUBJECT: v.optional(
    v.pipe(
      v.string(),
      v.regex(
        /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/[^\s/]+\S*)$/,
        'must be mailto: and an address, or begin with https://',
      ),
    ),
  ),
  PUSH_ALLOWED_HOSTS: v.optional(
    v.pipe(
      v.string(),
      v.transform((text) => text.split(',')),
      v.everyItem(
        (host) =>
          /^(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(host) || /^(?:localhost|127\.0\.0\.1)(?::\d{1,5})?$/.test(host),
        'must be host names with commas between, like push.example.org,push.example.com',
      ),
    ),
  ),
  PUSH_WINDOW: v.optional(wholeNumber(2, 1_000), '100'),
});

/** The names of all settings. */
export const SETTING_NAMES: readonly string[] = Object.keys(Environment.entries);

/** A portal whose files a worker imports. */
export interface FeedSettings {
  /** Unique among the feeds of tenders, and among those of awards. */
  portal: string;
  /** Address, or absolute path of a folder. */
  source: string;
  isFolder: boolean;
  everyMinutes: number;
  /** Listed name; unset: taken from the files. */
  state: string | undefined;
  format: (typeof FEED_FORMATS)[number];
  /** Columns that the portal's file does not have. */
  allowMissing: string[];
}

/** A mailbox whose attachments go into the folders of feeds. */
export interface MailboxSettings {
  /** imap(s)://USER:PASSWORD@HOST[:PORT]/FOLDER; without a folder INBOX. */
  url: string;
  /** Senders by portal: addresses, or `@domain`, in lower case. */
  senders: { portal: string; addresses: string[] }[];
}

/** Settings of this process. */
export interface Config {
  production: boolean;
  port: number;
  host: string;
  /** Absolute. */
  dataDir: string;
  /** Unset: the embedded database in `dataDir`. */
  databaseUrl: string | undefined;
  /** The same database without a pooler; set when `databaseUrl` is a pooler by transaction. */
  databaseUrlDirect: string | undefined;
  /** Replicas for public reads. */
  databaseUrlsRead: string[];
  /** Public origin of the app without a trailing slash; '' in production when unset. */
  publicOrigin: string;
  /** Origin of a CDN that delivers the app's immutable files and the segments; unset: the public origin does. */
  assetOrigin: string | undefined;
  /** The Android app that may open the site's addresses. */
  androidApp: AndroidApp | undefined;
  role: 'web' | 'worker' | 'all';
  /** Whether an empty database is filled with demonstration tenders. */
  demo: boolean;
  /** How long a stopping process is unready but still answers requests, until every proxy has noticed. */
  drainSeconds: number;
  /** The operator's command of this installation, such as `nivida`; undefined: commands are `npm run X`. */
  commandName: string | undefined;
  /** Token for the metrics; unset: requests of this machine only, in production none. */
  metricsToken: string | undefined;
  /** Port on which a worker answers /api/metrics, /api/ready and /api/health; unset: none. */
  metricsPort: number | undefined;
  feeds: FeedSettings[];
  /** Unset: no mails are fetched. */
  mailbox: MailboxSettings | undefined;
  /** Whether winners of awards are stored and shown by name. */
  awardNames: boolean;
  /** Prefix of the ids of processes in the OCDS export. */
  ocdsPrefix: string;
  /** Address of the licence of exported data; unset: none is named. */
  dataLicense: string | undefined;
  /** How users of exported data name the source. */
  dataAttribution: string | undefined;
  /** Address of the latest version, which doctor compares with this one; unset: it sends no request. */
  updateUrl: string | undefined;
  /** Address of a collector of traces without a slash at its end; unset: none are made. */
  tracesEndpoint: string | undefined;
  /** Minimum severity of log lines. 'info' includes a line for each answered request. */
  logLevel: 'info' | 'warn';
  /** Number of trusted proxies in front of this process. */
  trustProxyHops: number;
  /** Keys that sign sessions, the current one first; empty when unset (see secrets.ts). */
  sessionKeys: string[];
  /** Secret for the hashes of one-time codes; empty when unset (see secrets.ts). */
  otpPepper: string;
  /** SMTP server with user and password; unset: mails are files in `dataDir`. */
  mailUrl: string | undefined;
  /** Whether a mail server without TLS and password gets mails unencrypted. */
  isMailTlsOptional: boolean;
  /** Maximum connections of a worker to the mail server. */
  mailConnections: number;
  /** `Name <address>` or an address. */
  mailFrom: string | undefined;
  supportEmail: string | undefined;
  privacyEmail: string | undefined;
  dpoEmail: string | undefined;
  socialUrl: string | undefined;
  /** Unset: no sign-in by Google. */
  googleClientId: string | undefined;
  legalName: string | undefined;
  legalAddress: string | undefined;
  supportPhone: string | undefined;
  grievanceName: string | undefined;
  grievanceEmail: string | undefined;
  /** Place of the document packages, shared by all machines. */
  files: StorageLocation;
  /** Place of the copies of backups; unset: no copies. */
  backupCopies: StorageLocation | undefined;
  /** Public keys for which backups are encrypted; empty: not encrypted. */
  backupRecipients: readonly string[];
  /** How long copies of backups are retained. */
  backupRetention: { days: number; months: number };
  /** GSTIN of the seller; unset: receipts instead of tax invoices. */
  gstin: string | undefined;
  /** Code of the service on tax invoices. */
  gstSac: string;
  /** Unset only in production, which then refuses to start. */
  paymentProvider: PaymentProviderName | undefined;
  /** Takes new orders while `paymentProvider` does not answer; unset: none does. */
  paymentFallback: 'phonepe' | 'razorpay' | undefined;
  /** The plan of every account when nothing is sold (PAYMENT_PROVIDER=none); otherwise unset. */
  freePlan: PlanId | undefined;
  /** Rupees. A larger refund at the desk needs a second person. */
  refundTwoPersonLimit: number;
  /** Unset: 4010, or a free port if 4010 is in use. 0: a free port. */
  paymentSandboxPort: number | undefined;
  phonepeClientId: string | undefined;
  phonepeClientSecret: string | undefined;
  phonepeClientVersion: number;
  /** `username:password` or the HMAC key, as configured in PhonePe's dashboard. */
  phonepeWebhookSecret: string | undefined;
  /** PhonePe's own environment. `sandbox` moves no money. */
  phonepeEnv: 'sandbox' | 'production';
  /** Begins with `rzp_live_`, or with `rzp_test_` when no money moves. */
  razorpayKeyId: string | undefined;
  razorpayKeySecret: string | undefined;
  /** The current one first; empty when unset. */
  razorpayWebhookSecrets: string[];
  /** Key pairs for push services, the current one first; empty when unset (see secrets.ts). */
  vapidKeys: VapidKeys[];
  /** Contact for push services, `mailto:` or `https:`; unset only in production, which then refuses to start. */
  vapidSubject: string | undefined;
  /** Allowed push hosts; subdomains are included. */
  pushHosts: readonly string[];
  /** Maximum pushes of a worker that are sent and not yet recorded. */
  pushWindow: number;
  /** Tag or commit of the running build; without git the version of the root package.json. */
  version: string;
}

/** Thrown for a malformed or missing variable; the process ends with exit code 78. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Thrown for invalid options of a command before anything is read. */
export class InvalidOptionsError extends Error {
  override name = 'InvalidOptionsError';
}

/** Reads the settings; empty variables count as unset. Throws ConfigError naming all malformed variables. */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = v.safeParse(Environment, given);
  if (!parsed.success) {
    // Keeps the first problem of each variable.
    const problems = new Map<unknown, string>();
    for (const issue of parsed.issues) {
      const name = issue.path?.[0]?.key;
      if (!problems.has(name)) problems.set(name, `${v.getDotPath(issue)} ${issue.message}`);
    }
    throw new ConfigError([...problems.values()].join('; '));
  }
  const env = parsed.output;
  const production = env.NODE_ENV === 'production';
  if (env.FREE_PLAN && env.PAYMENT_PROVIDER !== 'none') throw new ConfigError('FREE_PLAN needs PAYMENT_PROVIDER=none');
  if (env.DATABASE_URL_DIRECT && !env.DATABASE_URL) throw new ConfigError('DATABASE_URL_DIRECT needs DATABASE_URL');
  if (env.PAYMENT_FALLBACK && (env.PAYMENT_PROVIDER === 'none' || env.PAYMENT_PROVIDER === env.PAYMENT_FALLBACK))
    throw new ConfigError('PAYMENT_FALLBACK must be another provider than PAYMENT_PROVIDER, which must sell');
  return {
    production,
    port: env.PORT,
    host: env.HOST,
    dataDir: resolve(env.DATA_DIR),
    databaseUrl: env.DATABASE_URL,
    databaseUrlDirect: env.DATABASE_URL_DIRECT,
    databaseUrlsRead: env.DATABASE_URL_READ ?? [],
    // Required in production (secrets.ts). An origin never contains the default port 80.
    publicOrigin: env.PUBLIC_ORIGIN ?? (production ? '' : new URL(`http://localhost:${env.PORT}`).origin),
    assetOrigin: env.ASSET_ORIGIN,
    androidApp: env.ANDROID_APP,
    role: env.ROLE,
    demo: env.DEMO ? env.DEMO === 'on' : env.DATABASE_URL === undefined,
    drainSeconds: env.DRAIN_SECONDS ?? (production ? 5 : 0),
    commandName: env.NIVIDA_COMMAND,
    metricsToken: env.METRICS_TOKEN,
    metricsPort: env.METRICS_PORT,
    feeds: readFeeds(env.FEEDS),
    mailbox: readMailbox(env.IMAP_URL, env.IMAP_SENDERS, readFeeds(env.FEEDS)),
    awardNames: env.AWARD_NAMES === 'on',
    ocdsPrefix: env.OCDS_PREFIX,
    dataLicense: env.DATA_LICENSE,
    dataAttribution: env.DATA_ATTRIBUTION,
    updateUrl: env.UPDATE_URL,
    tracesEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: env.LOG_LEVEL ?? (env.NODE_ENV === 'production' ? 'info' : 'warn'),
    trustProxyHops: env.TRUST_PROXY,
    sessionKeys: env.SESSION_KEYS ?? [],
    otpPepper: env.OTP_PEPPER ?? '',
    mailUrl: env.MAIL_URL,
    isMailTlsOptional: env.MAIL_TLS === 'optional',
    mailConnections: env.MAIL_CONNECTIONS,
    mailFrom: env.MAIL_FROM,
    supportEmail: env.SUPPORT_EMAIL,
    privacyEmail: env.PRIVACY_EMAIL,
    dpoEmail: env.DPO_EMAIL,
    socialUrl: env.SOCIAL_URL,
    googleClientId: env.GOOGLE_CLIENT_ID,
    legalName: env.LEGAL_NAME,
    legalAddress: env.LEGAL_ADDRESS,
    supportPhone: env.SUPPORT_PHONE,
    grievanceName: env.GRIEVANCE_NAME,
    grievanceEmail: env.GRIEVANCE_EMAIL,
    files: env.FILES_URL
      ? readLocation('FILES_URL', env.FILES_URL, env.S3_ACCESS_KEY_ID, env.S3_SECRET_ACCESS_KEY)
      : { kind: 'folder', path: resolve(env.DATA_DIR, 'files') },
    backupCopies: env.BACKUP_URL
      ? readLocation(
          'BACKUP_URL',
          env.BACKUP_URL,
          env.BACKUP_S3_ACCESS_KEY_ID ?? env.S3_ACCESS_KEY_ID,
          env.BACKUP_S3_SECRET_ACCESS_KEY ?? env.S3_SECRET_ACCESS_KEY,
        )
      : undefined,
    backupRecipients: env.BACKUP_RECIPIENTS ?? [],
    backupRetention: { days: env.BACKUP_DAYS, months: env.BACKUP_MONTHS },
    gstin: env.GSTIN,
    gstSac: env.GST_SAC,
    // No default in production: a forgotten setting must be an error.
    paymentProvider: env.PAYMENT_PROVIDER ?? (production ? undefined : 'sandbox'),
    paymentFallback: env.PAYMENT_FALLBACK,
    freePlan: env.PAYMENT_PROVIDER === 'none' ? (env.FREE_PLAN ?? 'enterprise') : undefined,
    refundTwoPersonLimit: env.REFUND_TWO_PERSON_LIMIT,
    paymentSandboxPort: env.PAYMENT_SANDBOX_PORT,
    phonepeClientId: env.PHONEPE_CLIENT_ID,
    phonepeClientSecret: env.PHONEPE_CLIENT_SECRET,
    phonepeClientVersion: env.PHONEPE_CLIENT_VERSION,
    phonepeWebhookSecret: env.PHONEPE_WEBHOOK_SECRET,
    phonepeEnv: env.PHONEPE_ENV ?? (production ? 'production' : 'sandbox'),
    razorpayKeyId: env.RAZORPAY_KEY_ID,
    razorpayKeySecret: env.RAZORPAY_KEY_SECRET,
    razorpayWebhookSecrets: env.RAZORPAY_WEBHOOK_SECRET ?? [],
    vapidKeys: readVapidKeys(env.VAPID_PUBLIC_KEY, env.VAPID_PRIVATE_KEY),
    vapidSubject: env.VAPID_SUBJECT ?? (production ? undefined : 'mailto:nobody@nivida.example'),
    pushHosts: readPushHosts(env.PUSH_ALLOWED_HOSTS, env.NODE_ENV),
    pushWindow: env.PUSH_WINDOW,
    version: readVersion(),
  };
}

const FEED_FORMATS = ['auto', 'gepnic', 'gepnic-list', 'ocds', 'awards'] as const;

/** `portal=WHERE[;every=MINUTES][;state=SLUG][;format=gepnic|gepnic-list|ocds|awards]`, with spaces between feeds. */
function readFeeds(text = ''): FeedSettings[] {
  const feeds = text.split(/\s+/).filter(Boolean).map(readFeed);
  // A portal may have two feeds: one of tenders and one of awards.
  const isSame = (one: FeedSettings, other: FeedSettings) =>
    one.portal === other.portal && (one.format === 'awards') === (other.format === 'awards');
  const twice = feeds.find((feed, nth) => feeds.findIndex((other) => isSame(feed, other)) !== nth);
  if (twice) throw new ConfigError(`FEEDS must name the portal ${twice.portal} once`);
  return feeds;
}

function readFeed(text: string): FeedSettings {
  const [target = '', ...given] = text.split(';');
  const { portal = '', source = '' } = /^(?<portal>[a-z0-9][a-z0-9.-]{0,62})=(?<source>.+)$/.exec(target)?.groups ?? {};
  // The value is not repeated, as it may contain a password.
  if (portal === '') throw new ConfigError('FEEDS must be like hptenders=https://example.org/tenders.csv;every=60');
  const refuse = (problem: string) => new ConfigError(`FEEDS ${problem} in ${portal}`);
  const isFolder = source.startsWith('/');
  const url = URL.parse(source);
  if (!isFolder && (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== ''))
    throw refuse('must name an address of http or https without a user, or the whole path of a folder,');
  const options = new Map(given.map((option) => option.split('=', 2) as [string, string]));
  const unknown = [...options.keys()].find((name) => !['every', 'state', 'format', 'allow-missing'].includes(name));
  if (unknown !== undefined) throw refuse(`has an unknown option "${unknown}"`);
  const every = options.get('every') ?? '60';
  if (!/^\d{1,4}$/.test(every) || Number(every) < 1) throw refuse('must have every= with 1 to 9999 minutes');
  const slug = options.get('state');
  const state = STATES.find((each) => each.slug === slug)?.name;
  if (slug !== undefined && state === undefined) throw refuse('must have state= with a slug like himachal-pradesh');
  const format = options.get('format') ?? 'auto';
  const known = FEED_FORMATS.find((name) => name === format);
  if (!known) throw refuse('must have format= with gepnic, gepnic-list, ocds or awards');
  const allowMissing = options.get('allow-missing')?.split(',').filter(Boolean) ?? [];
  return { portal, source, isFolder, everyMinutes: Number(every), state, format: known, allowMissing };
}

/** IMAP_SENDERS: `portal=ADDRESS[,ADDRESS]`, with spaces between portals. Each portal is a feed of a folder. */
function readMailbox(
  url: string | undefined,
  text: string | undefined,
  feeds: readonly FeedSettings[],
): MailboxSettings | undefined {
  if (url === undefined) return undefined;
  const senders = (text ?? '')
    .split(/\s+/)
    .filter(Boolean)
    .map((entry) => {
      const [portal = '', given = ''] = entry.split('=', 2);
      const addresses = given.toLowerCase().split(',').filter(Boolean);
      if (addresses.length === 0 || !addresses.every((address) => /^[^\s@]*@[^\s@]+\.[^\s@]+$/.test(address)))
        throw new ConfigError('IMAP_SENDERS must be like hptenders=clerk@pwd.example,@portal.example');
      if (!feeds.some((feed) => feed.portal === portal && feed.isFolder))
        throw new ConfigError(`IMAP_SENDERS names ${portal}, which is no feed of a folder in FEEDS`);
      return { portal, addresses };
    });
  if (senders.length === 0) throw new ConfigError('IMAP_SENDERS must name who may send files when IMAP_URL is set');
  return { url, senders };
}

/** The storage of a setting. Throws ConfigError. */
function readLocation(
  setting: string,
  url: string,
  accessKeyId: string | undefined,
  secretAccessKey: string | undefined,
): StorageLocation {
  try {
    return readStorageUrl(url, accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined);
  } catch (error) {
    if (!(error instanceof InvalidStorageUrlError)) throw error;
    throw new ConfigError(`${setting} ${error.message}`);
  }
}

function readVapidKeys(publicKeys: string[] = [], privateKeys: string[] = []): VapidKeys[] {
  const pairs = publicKeys.map((publicKey, nth) => ({ publicKey, privateKey: privateKeys[nth] ?? '' }));
  if (publicKeys.length !== privateKeys.length || !pairs.every(isVapidKeyPair))
    throw new ConfigError('VAPID_PRIVATE_KEY must hold the private keys of VAPID_PUBLIC_KEY, in the same order');
  return pairs;
}

/** Pushes to this machine could reach local services, so only tests may send them. */
function readPushHosts(hosts: readonly string[] = PUSH_HOSTS, environment: string | undefined): readonly string[] {
  const isLoopback = hosts.some((host) => isLoopbackHost(host.split(':', 1)[0] ?? ''));
  if (isLoopback && environment !== 'test')
    throw new ConfigError('PUSH_ALLOWED_HOSTS must not contain this machine, except in tests (NODE_ENV=test)');
  return hosts;
}

declare const BUILT_VERSION: string | undefined;

/** The tag or commit of the build (vite.config.ts). Unbuilt sources have the version of package.json. */
function readVersion(): string {
  if (typeof BUILT_VERSION === 'string') return BUILT_VERSION;
  // Reached only by unbuilt sources.
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version;
}

const MIN_NODE_VERSION = 24;

/** Throws ConfigError for a Node that lacks functions which the product uses. */
export function assertNodeVersion(version: string): void {
  if (Number.parseInt(version, 10) >= MIN_NODE_VERSION) return;
  throw new ConfigError(
    `Node ${version} is too old: Node ${MIN_NODE_VERSION} is needed. npm ci brings it: node_modules/.bin/node`,
  );
}

/** NIVIDA_COMMAND. It can be read when other settings are wrong. */
export const readCommandName = (): string | undefined => process.env.NIVIDA_COMMAND || undefined;

/** Replaces `npm run X` in a text by the installation's own command. Without `command` the text stays. */
export const withCommandName = (text: string, command: string | undefined): string =>
  command ? text.replaceAll(/\bnpm run (?!-)(\w+)(?: --(?= ))?/g, `${command} $1`) : text;

/** Whether NODE_ENV is production. It can be read when other settings are wrong. */
export const isProductionProcess = (): boolean => process.env.NODE_ENV === 'production';

/** Settings of this process from its environment. Throws ConfigError for wrong settings or an older Node. */
export function readProcessConfig(): Config {
  assertNodeVersion(process.versions.node);
  return readConfig(process.env);
}
