import { isAbsolute, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertNodeVersion, ConfigError, readConfig, SETTING_NAMES } from './config.ts';
import { deriveVapidKeys } from './vapid-keys.ts';

const KEY = '0123456789abcdef0123456789abcdef';
const FINGERPRINT = Array(32).fill('A1').join(':');
const OTHER_KEY = 'चाबी चाबी चाबी';
const [PUSH_KEYS, EARLIER_PUSH_KEYS] = [deriveVapidKeys('current'), deriveVapidKeys('earlier')];

function refusal(environment: NodeJS.ProcessEnv): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as ConfigError).message;
  }
  return 'not refused';
}

const SELLER_GSTIN = 'GSTIN must be the 15-character GSTIN of a firm, with the code of its State and its check digit';

test('an older Node is refused with the way to the right one', () => {
  expect(() => assertNodeVersion('20.19.2')).toThrow(
    'Node 20.19.2 is too old: Node 24 is needed. npm ci brings it: node_modules/.bin/node',
  );
  expect(() => assertNodeVersion('23.11.1')).toThrow('Node 23.11.1 is too old');
  expect(() => assertNodeVersion('24.0.0')).not.toThrow();
});

test.each([
  ['80', 'http://localhost'],
  ['3000', 'http://localhost:3000'],
])('without PUBLIC_ORIGIN the origin of port %s is %s', (PORT, publicOrigin) => {
  expect(readConfig({ PORT }).publicOrigin).toBe(publicOrigin);
});

test('without any variable the app runs on this machine with an embedded database and demonstration tenders', () => {
  const { version, ...config } = readConfig({});
  expect(config).toEqual({
    production: false,
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('.data'),
    databaseUrl: undefined,
    databaseUrlDirect: undefined,
    databaseUrlsRead: [],
    publicOrigin: 'http://localhost:3000',
    role: 'all',
    demo: true,
    trustProxyHops: 0,
    sessionKeys: [],
    otpPepper: '',
    mailUrl: undefined,
    isMailTlsOptional: false,
    mailConnections: 10,
    mailFrom: undefined,
    supportEmail: undefined,
    privacyEmail: undefined,
    dpoEmail: undefined,
    socialUrl: undefined,
    googleClientId: undefined,
    legalName: undefined,
    legalAddress: undefined,
    supportPhone: undefined,
    grievanceName: undefined,
    grievanceEmail: undefined,
    files: { kind: 'folder', path: resolve('.data/files') },
    backupCopies: undefined,
    backupRecipients: [],
    backupRetention: { days: 14, months: 12 },
    gstin: undefined,
    gstSac: '998431',
    paymentProvider: 'sandbox',
    paymentFallback: undefined,
    freePlan: undefined,
    refundTwoPersonLimit: 5_000,
    paymentSandboxPort: undefined,
    phonepeClientId: undefined,
    phonepeClientSecret: undefined,
    phonepeClientVersion: 1,
    phonepeWebhookSecret: undefined,
    phonepeEnv: 'sandbox',
    razorpayKeyId: undefined,
    razorpayKeySecret: undefined,
    razorpayWebhookSecrets: [],
    updateUrl: undefined,
    tracesEndpoint: undefined,
    logLevel: 'warn',
    drainSeconds: 0,
    feeds: [],
    awardNames: false,
    ocdsPrefix: 'ocds-nivida',
    dataLicense: undefined,
    dataAttribution: undefined,
    metricsToken: undefined,
    vapidKeys: [],
    vapidSubject: 'mailto:nobody@nivida.example',
    pushHosts: [
      'fcm.googleapis.com',
      'jmt17.google.com',
      'updates.push.services.mozilla.com',
      'push.apple.com',
      'notify.windows.com',
    ],
    pushWindow: 100,
  });
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
});

test('every variable sets its setting', () => {
  const environment = {
    NODE_ENV: 'production',
    PORT: '8080',
    HOST: '0.0.0.0',
    DATA_DIR: '/var/lib/nivida',
    DATABASE_URL: 'postgresql://nivida@db/nivida',
    DATABASE_URL_DIRECT: 'postgresql://nivida@db:5433/nivida',
    DATABASE_URL_READ: 'postgresql://nivida@replica/nivida,postgresql://nivida@other/nivida',
    PUBLIC_ORIGIN: 'https://nivida.example',
    ASSET_ORIGIN: 'https://cdn.nivida.example',
    ANDROID_APP: `in.example.nivida ${FINGERPRINT.toLowerCase()} ${FINGERPRINT}`,
    ROLE: 'worker',
    DEMO: 'on',
    TRUST_PROXY: '2',
    DRAIN_SECONDS: '0',
    NIVIDA_COMMAND: 'nivida',
    METRICS_TOKEN: 'metrics-0123456789-01',
    METRICS_PORT: '9091',
    AWARD_NAMES: 'on',
    OCDS_PREFIX: 'ocds-213czf',
    DATA_LICENSE: 'https://licence.example/data',
    DATA_ATTRIBUTION: 'Tenders of India, Nivida',
    UPDATE_URL: 'https://nivida.example/latest.json',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/',
    LOG_LEVEL: 'warn',
    FEEDS:
      'hptenders=https://data.example/hp.csv.gz;every=15;state=himachal-pradesh;format=gepnic;allow-missing=emd-amount,pin-code  assam=/srv/feeds/assam',
    IMAP_URL: 'imaps://data%40nivida.example:pass@mail.example/Lists',
    IMAP_SENDERS: 'assam=clerk@PWD.example,@portal.example',
    SESSION_KEYS: `${KEY},${OTHER_KEY}`,
    OTP_PEPPER: 'pepper-0123456789-0123456789-0123',
    MAIL_URL: 'smtps://user:pass%40word@mail.example:465',
    MAIL_TLS: 'optional',
    MAIL_CONNECTIONS: '25',
    MAIL_FROM: 'निविदा <no-reply@nivida.example>',
    SUPPORT_EMAIL: 'help@nivida.example',
    PRIVACY_EMAIL: 'privacy@nivida.example',
    DPO_EMAIL: 'dpo@nivida.example',
    SOCIAL_URL: 'https://social.example/nivida',
    GOOGLE_CLIENT_ID: '123-abc.apps.googleusercontent.com',
    LEGAL_NAME: 'Nivida Private Limited',
    LEGAL_ADDRESS: '1, The Mall, Shimla 171001',
    SUPPORT_PHONE: '+91 177 123 4567',
    GRIEVANCE_NAME: 'A. Verma',
    GRIEVANCE_EMAIL: 'grievance@nivida.example',
    PAYMENT_PROVIDER: 'phonepe',
    PAYMENT_SANDBOX_PORT: '4011',
    PHONEPE_CLIENT_ID: 'M1',
    PHONEPE_CLIENT_SECRET: 's3cret',
    PHONEPE_CLIENT_VERSION: '2',
    PHONEPE_WEBHOOK_SECRET: 'nivida:passw0rd',
    PHONEPE_ENV: 'sandbox',
    PAYMENT_FALLBACK: 'razorpay',
    RAZORPAY_KEY_ID: 'rzp_test_K1',
    RAZORPAY_KEY_SECRET: 'r4zor',
    RAZORPAY_WEBHOOK_SECRET: 'present-secret-1,earlier-secret-1',
    FILES_URL: 's3://nivida/files?endpoint=https://s3.example.org&region=ap-south-1&downloads=redirect',
    S3_ACCESS_KEY_ID: 'files-id',
    S3_SECRET_ACCESS_KEY: 'files-secret',
    BACKUP_URL: 's3://nivida-backups?endpoint=https://backup.example.org',
    BACKUP_S3_ACCESS_KEY_ID: 'backup-id',
    BACKUP_S3_SECRET_ACCESS_KEY: 'backup-secret',
    BACKUP_RECIPIENTS: `age1${'q'.repeat(58)},age1${'p'.repeat(58)}`,
    BACKUP_DAYS: '30',
    BACKUP_MONTHS: '0',
    REFUND_TWO_PERSON_LIMIT: '10000',
    GSTIN: '02ABCDE1234F1ZC',
    GST_SAC: '998439',
    VAPID_PUBLIC_KEY: `${PUSH_KEYS.publicKey},${EARLIER_PUSH_KEYS.publicKey}`,
    VAPID_PRIVATE_KEY: `${PUSH_KEYS.privateKey},${EARLIER_PUSH_KEYS.privateKey}`,
    VAPID_SUBJECT: 'https://nivida.example/contact',
    PUSH_ALLOWED_HOSTS: 'push.example.org,push.example.com',
    PUSH_WINDOW: '250',
  };
  // FREE_PLAN is for a server that sells nothing.
  expect(SETTING_NAMES.filter((name) => !Object.hasOwn(environment, name))).toEqual(['FREE_PLAN']);
  const { version: _ofTheBuild, ...config } = readConfig(environment);
  expect(config).toEqual({
    production: true,
    port: 8080,
    host: '0.0.0.0',
    dataDir: '/var/lib/nivida',
    databaseUrl: 'postgresql://nivida@db/nivida',
    databaseUrlDirect: 'postgresql://nivida@db:5433/nivida',
    databaseUrlsRead: ['postgresql://nivida@replica/nivida', 'postgresql://nivida@other/nivida'],
    publicOrigin: 'https://nivida.example',
    assetOrigin: 'https://cdn.nivida.example',
    androidApp: { packageName: 'in.example.nivida', fingerprints: [FINGERPRINT, FINGERPRINT] },
    role: 'worker',
    demo: true,
    trustProxyHops: 2,
    metricsToken: 'metrics-0123456789-01',
    metricsPort: 9_091,
    awardNames: true,
    ocdsPrefix: 'ocds-213czf',
    dataLicense: 'https://licence.example/data',
    dataAttribution: 'Tenders of India, Nivida',
    updateUrl: 'https://nivida.example/latest.json',
    tracesEndpoint: 'http://collector:4318',
    logLevel: 'warn',
    drainSeconds: 0,
    commandName: 'nivida',
    feeds: [
      {
        portal: 'hptenders',
        source: 'https://data.example/hp.csv.gz',
        isFolder: false,
        everyMinutes: 15,
        state: 'Himachal Pradesh',
        format: 'gepnic',
        allowMissing: ['emd-amount', 'pin-code'],
      },
      {
        portal: 'assam',
        source: '/srv/feeds/assam',
        isFolder: true,
        everyMinutes: 60,
        state: undefined,
        format: 'auto',
        allowMissing: [],
      },
    ],
    mailbox: {
      url: 'imaps://data%40nivida.example:pass@mail.example/Lists',
      senders: [{ portal: 'assam', addresses: ['clerk@pwd.example', '@portal.example'] }],
    },
    sessionKeys: [KEY, OTHER_KEY],
    otpPepper: 'pepper-0123456789-0123456789-0123',
    mailUrl: 'smtps://user:pass%40word@mail.example:465',
    isMailTlsOptional: true,
    mailConnections: 25,
    mailFrom: 'निविदा <no-reply@nivida.example>',
    supportEmail: 'help@nivida.example',
    privacyEmail: 'privacy@nivida.example',
    dpoEmail: 'dpo@nivida.example',
    socialUrl: 'https://social.example/nivida',
    googleClientId: '123-abc.apps.googleusercontent.com',
    legalName: 'Nivida Private Limited',
    legalAddress: '1, The Mall, Shimla 171001',
    supportPhone: '+91 177 123 4567',
    grievanceName: 'A. Verma',
    grievanceEmail: 'grievance@nivida.example',
    paymentProvider: 'phonepe',
    paymentFallback: 'razorpay',
    freePlan: undefined,
    paymentSandboxPort: 4_011,
    phonepeClientId: 'M1',
    phonepeClientSecret: 's3cret',
    phonepeClientVersion: 2,
    phonepeWebhookSecret: 'nivida:passw0rd',
    phonepeEnv: 'sandbox',
    razorpayKeyId: 'rzp_test_K1',
    razorpayKeySecret: 'r4zor',
    razorpayWebhookSecrets: ['present-secret-1', 'earlier-secret-1'],
    files: {
      kind: 'bucket',
      endpoint: 'https://s3.example.org',
      region: 'ap-south-1',
      bucket: 'nivida',
      prefix: 'files/',
      redirectsDownloads: true,
      credentials: { accessKeyId: 'files-id', secretAccessKey: 'files-secret' },
    },
    backupCopies: {
      kind: 'bucket',
      endpoint: 'https://backup.example.org',
      region: 'us-east-1',
      bucket: 'nivida-backups',
      prefix: '',
      redirectsDownloads: false,
      credentials: { accessKeyId: 'backup-id', secretAccessKey: 'backup-secret' },
    },
    backupRecipients: [`age1${'q'.repeat(58)}`, `age1${'p'.repeat(58)}`],
    backupRetention: { days: 30, months: 0 },
    gstin: '02ABCDE1234F1ZC',
    gstSac: '998439',
    refundTwoPersonLimit: 10_000,
    vapidKeys: [PUSH_KEYS, EARLIER_PUSH_KEYS],
    vapidSubject: 'https://nivida.example/contact',
    pushHosts: ['push.example.org', 'push.example.com'],
    pushWindow: 250,
  });
});

test('production has no default payment provider, and development uses the sandbox', () => {
  expect(readConfig({ NODE_ENV: 'production' }).paymentProvider).toBeUndefined();
  expect(readConfig({ NODE_ENV: 'test' }).paymentProvider).toBe('sandbox');
});

test('production drains for 5 seconds, logs each request, takes real money and needs its own contact for push services', () => {
  const { drainSeconds, logLevel, phonepeEnv, vapidSubject, publicOrigin } = readConfig({ NODE_ENV: 'production' });
  expect({ drainSeconds, logLevel, phonepeEnv, vapidSubject, publicOrigin }).toEqual({
    drainSeconds: 5,
    logLevel: 'info',
    phonepeEnv: 'production',
    vapidSubject: undefined,
    publicOrigin: '',
  });
});

test('copies of backups use the credentials of the files unless they have their own', () => {
  const files = { S3_ACCESS_KEY_ID: 'files-id', S3_SECRET_ACCESS_KEY: 'files-secret' };
  const BACKUP_URL = 's3://nivida-backups';
  expect(readConfig({ BACKUP_URL, ...files }).backupCopies).toMatchObject({
    credentials: { accessKeyId: 'files-id', secretAccessKey: 'files-secret' },
  });
  expect(readConfig({ BACKUP_URL: 'file:///srv/copies' }).backupCopies).toEqual({
    kind: 'folder',
    path: '/srv/copies',
  });
  expect(refusal({ BACKUP_URL })).toBe('BACKUP_URL needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY');
  expect(refusal({ BACKUP_URL, S3_ACCESS_KEY_ID: 'files-id' })).toBe(
    'BACKUP_URL needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY',
  );
  expect(refusal({ FILES_URL: '/srv/files' })).toMatch(/^FILES_URL must be the address of a folder/);
});

test('tenders and awards of a portal are two feeds, each of which may be named once', () => {
  const { feeds } = readConfig({ FEEDS: 'hp=/srv/hp hp=/srv/awards;format=awards;every=9999' });
  expect(feeds.map(({ format, everyMinutes }) => [format, everyMinutes])).toEqual([
    ['auto', 60],
    ['awards', 9_999],
  ]);
  expect(refusal({ FEEDS: 'hp=/srv/a;format=awards hp=/srv/b;format=awards' })).toBe(
    'FEEDS must name the portal hp once',
  );
  expect(refusal({ FEEDS: 'hp=/srv/a;format=ocds hp=/srv/b;format=gepnic' })).toBe(
    'FEEDS must name the portal hp once',
  );
  expect(readConfig({ FEEDS: 'hp=/srv/hp;format=ocds' }).feeds).toMatchObject([{ format: 'ocds' }]);
});

test('pushes may go to this machine in tests only', () => {
  for (const host of ['localhost', '127.0.0.1', '127.0.0.1:8080', 'localhost:8080']) {
    const PUSH_ALLOWED_HOSTS = `push.example.org,${host}`;
    expect(readConfig({ NODE_ENV: 'test', PUSH_ALLOWED_HOSTS }).pushHosts).toEqual(['push.example.org', host]);
    for (const NODE_ENV of [undefined, 'development', 'production'])
      expect(refusal({ NODE_ENV, PUSH_ALLOWED_HOSTS })).toBe(
        'PUSH_ALLOWED_HOSTS must not contain this machine, except in tests (NODE_ENV=test)',
      );
  }
});

test('an empty variable counts as unset', () => {
  const empty = {
    NODE_ENV: '',
    PORT: '',
    HOST: '',
    DATA_DIR: '',
    DATABASE_URL: '',
    PUBLIC_ORIGIN: '',
    ROLE: '',
    SESSION_KEYS: '',
    OTP_PEPPER: '',
    MAIL_URL: '',
    MAIL_FROM: '',
    SUPPORT_EMAIL: '',
    SOCIAL_URL: '',
    LEGAL_NAME: '',
    SUPPORT_PHONE: '',
  };
  expect(readConfig({ ...empty, DEMO: '', TRUST_PROXY: '' })).toEqual(readConfig({}));
});

test('the origin follows the port, and a relative data folder becomes absolute', () => {
  const config = readConfig({ PORT: '4100', DATA_DIR: 'some/folder' });
  expect(config.publicOrigin).toBe('http://localhost:4100');
  expect(isAbsolute(config.dataDir)).toBe(true);
});

test('a database of the operator is not filled with demonstration tenders unless asked', () => {
  const DATABASE_URL = 'postgres://localhost/nivida';
  expect(readConfig({ DATABASE_URL }).demo).toBe(false);
  expect(readConfig({ DATABASE_URL, DEMO: 'on' }).demo).toBe(true);
  expect(readConfig({ DEMO: 'off' }).demo).toBe(false);
});

describe('a malformed variable is refused by its name', () => {
  test.each<[string, string, string]>([
    ['NODE_ENV', 'prod', 'NODE_ENV must be development, production or test'],
    ['PORT', 'http', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '-1', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '65536', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '80.5', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', '0x50', 'PORT must be a whole number from 0 to 65535'],
    ['PORT', ' ', 'PORT must be a whole number from 0 to 65535'],
    ['DATABASE_URL', 'mysql://localhost/nivida', 'DATABASE_URL must begin with postgresql://'],
    ['DATABASE_URL', 'localhost:5432', 'DATABASE_URL must begin with postgresql://'],
    ['DATABASE_URL_DIRECT', 'mysql://localhost/nivida', 'DATABASE_URL_DIRECT must begin with postgresql://'],
    ['DATABASE_URL_DIRECT', 'postgresql://db/nivida', 'DATABASE_URL_DIRECT needs DATABASE_URL'],
    ['PUBLIC_ORIGIN', 'nivida.example', 'PUBLIC_ORIGIN must be an origin like https://example.org, without a path'],
    ['PUBLIC_ORIGIN', 'https://a.example/', 'PUBLIC_ORIGIN must be an origin like https://example.org, without a path'],
    [
      'PUBLIC_ORIGIN',
      'https://a.example/x',
      'PUBLIC_ORIGIN must be an origin like https://example.org, without a path',
    ],
    ...['in.example.nivida', FINGERPRINT, `nivida ${FINGERPRINT}`, `in.example.nivida ${FINGERPRINT}:00`].map(
      (app): [string, string, string] => [
        'ANDROID_APP',
        app,
        'ANDROID_APP must be a package name and SHA-256 fingerprints of its certificates, with spaces between',
      ],
    ),
    ['ASSET_ORIGIN', 'cdn.example', 'ASSET_ORIGIN must be an origin like https://cdn.example.org, without a path'],
    [
      'ASSET_ORIGIN',
      'https://a.example/x',
      'ASSET_ORIGIN must be an origin like https://cdn.example.org, without a path',
    ],
    [
      'ASSET_ORIGIN',
      'https://a.example:443',
      'ASSET_ORIGIN must be an origin like https://cdn.example.org, without a path',
    ],
    ...['https://*', 'https://*.example', 'https://a.example;x', "https://'self'"].flatMap(
      (origin): [string, string, string][] => [
        ['PUBLIC_ORIGIN', origin, 'PUBLIC_ORIGIN must be an origin like https://example.org, without a path'],
        ['ASSET_ORIGIN', origin, 'ASSET_ORIGIN must be an origin like https://cdn.example.org, without a path'],
      ],
    ),
    ['PUBLIC_ORIGIN', 'ftp://a.example', 'PUBLIC_ORIGIN must be an origin like https://example.org, without a path'],
    ['ROLE', 'both', 'ROLE must be web, worker or all'],
    [
      'DATABASE_URL_READ',
      'postgresql://replica,replica:5432',
      'DATABASE_URL_READ must be addresses that begin with postgresql://, with commas between',
    ],
    ['FEEDS', 'https://data.example/hp.csv', 'FEEDS must be like hptenders=https://example.org/tenders.csv;every=60'],
    [
      'FEEDS',
      'hp=feeds/hp',
      'FEEDS must name an address of http or https without a user, or the whole path of a folder, in hp',
    ],
    [
      'FEEDS',
      'hp=https://me:secret@data.example/',
      'FEEDS must name an address of http or https without a user, or the whole path of a folder, in hp',
    ],
    ['FEEDS', 'hp=/srv/hp;every=0', 'FEEDS must have every= with 1 to 9999 minutes in hp'],
    ['FEEDS', 'hp=/srv/hp;state=narnia', 'FEEDS must have state= with a slug like himachal-pradesh in hp'],
    ['FEEDS', 'hp=/srv/hp;format=pdf', 'FEEDS must have format= with gepnic, gepnic-list, ocds or awards in hp'],
    ['FEEDS', 'hp=/srv/hp;often', 'FEEDS has an unknown option "often" in hp'],
    ['FEEDS', 'hp=/srv/hp hp=/srv/other', 'FEEDS must name the portal hp once'],
    ['IMAP_URL', 'pop3://mail.example', 'IMAP_URL must begin with imaps:// or imap://'],
    ['IMAP_URL', 'imaps://mail.example', 'IMAP_SENDERS must name who may send files when IMAP_URL is set'],
    ['DRAIN_SECONDS', '61', 'DRAIN_SECONDS must be a whole number from 0 to 60'],
    ['METRICS_TOKEN', 'short', 'METRICS_TOKEN must be 20 to 200 letters, digits or . _ ~ + / = -'],
    ['DEMO', 'true', 'DEMO must be on or off'],
    ['TRUST_PROXY', 'true', 'TRUST_PROXY must be a whole number from 0 to 10'],
    ['SESSION_KEYS', KEY.slice(1), 'SESSION_KEYS must be keys of at least 32 bytes'],
    ['SESSION_KEYS', ',', 'SESSION_KEYS must be keys of at least 32 bytes'],
    ['SESSION_KEYS', `${KEY},`, 'SESSION_KEYS must be keys of at least 32 bytes'],
    ['SESSION_KEYS', `${KEY},short`, 'SESSION_KEYS must be keys of at least 32 bytes'],
    ['SESSION_KEYS', `${KEY},${KEY}`, 'SESSION_KEYS must not be the same key twice'],
    [
      'SESSION_KEYS',
      `${KEY},${OTHER_KEY},${KEY}x`,
      'SESSION_KEYS must be one key, or the current and the previous one with a comma between',
    ],
    ['OTP_PEPPER', 'short', 'OTP_PEPPER must be at least 32 bytes'],
    ['MAIL_URL', 'mail.example', 'MAIL_URL must begin with smtp:// or smtps://'],
    ['MAIL_URL', 'https://mail.example', 'MAIL_URL must begin with smtp:// or smtps://'],
    [
      'MAIL_URL',
      'smtp://',
      'MAIL_URL must name a host, like smtp://mail.example.org:587, with USER:PASSWORD@ before it',
    ],
    [
      'MAIL_URL',
      'smtp://user:pass@',
      'MAIL_URL must name a host, like smtp://mail.example.org:587, with USER:PASSWORD@ before it',
    ],
    ['MAIL_TLS', 'off', 'MAIL_TLS must be required or optional'],
    ['MAIL_FROM', 'Nivida', 'MAIL_FROM must be an e-mail address, or a name and <address>'],
    ['MAIL_FROM', 'a@b.example, c@d.example', 'MAIL_FROM must be an e-mail address, or a name and <address>'],
    ['MAIL_FROM', 'N\r\nBcc: x <a@b.example>', 'MAIL_FROM must be an e-mail address, or a name and <address>'],
    ['SUPPORT_EMAIL', 'Help <help@a.example>', 'SUPPORT_EMAIL must be one e-mail address'],
    ['PRIVACY_EMAIL', 'a@b.example\n', 'PRIVACY_EMAIL must be one e-mail address'],
    ['DPO_EMAIL', 'a@', 'DPO_EMAIL must be one e-mail address'],
    ['GRIEVANCE_EMAIL', 'a b@c.example', 'GRIEVANCE_EMAIL must be one e-mail address'],
    ['SOCIAL_URL', 'javascript:alert(1)', 'SOCIAL_URL must begin with https://'],
    ['SOCIAL_URL', 'http://social.example', 'SOCIAL_URL must begin with https://'],
    ['GOOGLE_CLIENT_ID', 'a b', 'GOOGLE_CLIENT_ID must be a client id like 123-abc.apps.googleusercontent.com'],
    ['LEGAL_NAME', 'a\nb', 'LEGAL_NAME must be one line of at most 200 characters'],
    ['LEGAL_ADDRESS', 'a'.repeat(501), 'LEGAL_ADDRESS must be one line of at most 500 characters'],
    ['SUPPORT_PHONE', 'call us', 'SUPPORT_PHONE must be a phone number like +91 177 123 4567'],
    ['GRIEVANCE_NAME', 'a\tb', 'GRIEVANCE_NAME must be one line of at most 200 characters'],
    ['TRUST_PROXY', '11', 'TRUST_PROXY must be a whole number from 0 to 10'],
    ['METRICS_PORT', '65536', 'METRICS_PORT must be a whole number from 0 to 65535'],
    ['METRICS_TOKEN', 'a b'.repeat(10), 'METRICS_TOKEN must be 20 to 200 letters, digits or . _ ~ + / = -'],
    ['AWARD_NAMES', 'yes', 'AWARD_NAMES must be on or off'],
    [
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'collector:4318',
      'OTEL_EXPORTER_OTLP_ENDPOINT must be an address like http://localhost:4318',
    ],
    ['LOG_LEVEL', 'debug', 'LOG_LEVEL must be info or warn'],
    ['SOCIAL_URL', 'https://:443', 'SOCIAL_URL must name a host'],
    ['FEEDS', 'hp=/srv/hp;every=10000', 'FEEDS must have every= with 1 to 9999 minutes in hp'],
    ['FEEDS', 'hp=/srv/hp;every=1.5', 'FEEDS must have every= with 1 to 9999 minutes in hp'],
    [
      'FEEDS',
      'hp=ftp://data.example/',
      'FEEDS must name an address of http or https without a user, or the whole path of a folder, in hp',
    ],
    [
      'FEEDS',
      'hp=https://:secret@data.example/',
      'FEEDS must name an address of http or https without a user, or the whole path of a folder, in hp',
    ],
    ['S3_ACCESS_KEY_ID', 'a\nb', 'S3_ACCESS_KEY_ID must be one line of at most 200 characters'],
    ['BACKUP_RECIPIENTS', 'age1short', 'BACKUP_RECIPIENTS must be public keys of age, like age1…, with commas between'],
    [
      'BACKUP_RECIPIENTS',
      `age1${'q'.repeat(58)},AGE-SECRET-KEY-1`,
      'BACKUP_RECIPIENTS must be public keys of age, like age1…, with commas between',
    ],
    ['BACKUP_DAYS', '0', 'BACKUP_DAYS must be a whole number from 1 to 3650'],
    ['BACKUP_DAYS', '3651', 'BACKUP_DAYS must be a whole number from 1 to 3650'],
    ['BACKUP_MONTHS', '121', 'BACKUP_MONTHS must be a whole number from 0 to 120'],
    ['GSTIN', '02ABCDE1234F1ZD', SELLER_GSTIN],
    ['GSTIN', '0717UNO00157UNO', SELLER_GSTIN],
    ['GSTIN', '25AAACB1234C1ZJ', SELLER_GSTIN],
    ['GST_SAC', '998', 'GST_SAC must be a code of 4 to 6 digits'],
    ['PAYMENT_PROVIDER', 'bank', 'PAYMENT_PROVIDER must be sandbox, phonepe, razorpay or none'],
    ['PAYMENT_FALLBACK', 'sandbox', 'PAYMENT_FALLBACK must be phonepe or razorpay'],
    ['FREE_PLAN', 'basic', 'FREE_PLAN needs PAYMENT_PROVIDER=none'],
    ['FREE_PLAN', 'gold', 'FREE_PLAN must be basic, premium or enterprise'],
    ['PAYMENT_SANDBOX_PORT', '65536', 'PAYMENT_SANDBOX_PORT must be a whole number from 0 to 65535'],
    ['PHONEPE_CLIENT_VERSION', '0', 'PHONEPE_CLIENT_VERSION must be a whole number from 1 to 999999'],
    ['PHONEPE_WEBHOOK_SECRET', 'n'.repeat(12), 'PHONEPE_WEBHOOK_SECRET must be at least 13 characters'],
    ['PHONEPE_ENV', 'live', 'PHONEPE_ENV must be sandbox or production'],
    ['RAZORPAY_KEY_ID', 'M1', 'RAZORPAY_KEY_ID must be a key id like rzp_live_… or rzp_test_…'],
    ['RAZORPAY_WEBHOOK_SECRET', 'n'.repeat(12), 'RAZORPAY_WEBHOOK_SECRET must be secrets of 13 to 200 characters'],
    [
      'RAZORPAY_WEBHOOK_SECRET',
      Array(3).fill('n'.repeat(13)).join(),
      'RAZORPAY_WEBHOOK_SECRET must be one secret, or the current and the previous one with a comma between',
    ],
    ['VAPID_PUBLIC_KEY', KEY, 'VAPID_PUBLIC_KEY must be keys of 65 bytes in base64url'],
    ['VAPID_PRIVATE_KEY', KEY, 'VAPID_PRIVATE_KEY must be keys of 32 bytes in base64url'],
    [
      'VAPID_PRIVATE_KEY',
      `${PUSH_KEYS.privateKey},${EARLIER_PUSH_KEYS.privateKey},${PUSH_KEYS.privateKey}`,
      'VAPID_PRIVATE_KEY must be one key, or the current and the previous one with a comma between',
    ],
    [
      'VAPID_PUBLIC_KEY',
      PUSH_KEYS.publicKey,
      'VAPID_PRIVATE_KEY must hold the private keys of VAPID_PUBLIC_KEY, in the same order',
    ],
    ['VAPID_SUBJECT', 'help@nivida.example', 'VAPID_SUBJECT must be mailto: and an address, or begin with https://'],
    ['VAPID_SUBJECT', 'http://nivida.example', 'VAPID_SUBJECT must be mailto: and an address, or begin with https://'],
    [
      'PUSH_ALLOWED_HOSTS',
      'https://push.example.org',
      'PUSH_ALLOWED_HOSTS must be host names with commas between, like push.example.org,push.example.com',
    ],
    [
      'PUSH_ALLOWED_HOSTS',
      'push.example.org,10.0.0.1',
      'PUSH_ALLOWED_HOSTS must be host names with commas between, like push.example.org,push.example.com',
    ],
  ])('%s=%s', (name, value, message) => {
    expect(refusal({ [name]: value })).toBe(message);
  });
});

test('public and private keys for push services are pairs in the same order', () => {
  expect(
    refusal({
      VAPID_PUBLIC_KEY: `${PUSH_KEYS.publicKey},${EARLIER_PUSH_KEYS.publicKey}`,
      VAPID_PRIVATE_KEY: `${EARLIER_PUSH_KEYS.privateKey},${PUSH_KEYS.privateKey}`,
    }),
  ).toBe('VAPID_PRIVATE_KEY must hold the private keys of VAPID_PUBLIC_KEY, in the same order');
});

test.each(['none', 'razorpay'])('no provider stands in for %s', (PAYMENT_PROVIDER) => {
  expect(refusal({ PAYMENT_PROVIDER, PAYMENT_FALLBACK: 'razorpay' })).toBe(
    'PAYMENT_FALLBACK must be another provider than PAYMENT_PROVIDER, which must sell',
  );
});

test('a value at its limit is accepted', () => {
  const config = readConfig({
    PORT: '65535',
    METRICS_TOKEN: '.'.repeat(20),
    BACKUP_DAYS: '1',
    BACKUP_MONTHS: '120',
    DRAIN_SECONDS: '60',
    TRUST_PROXY: '10',
    LEGAL_NAME: 'न'.repeat(200),
    PHONEPE_WEBHOOK_SECRET: 'n'.repeat(13),
    RAZORPAY_WEBHOOK_SECRET: `${'n'.repeat(200)},${'m'.repeat(13)}`,
    MAIL_FROM: 'post@nivida.example',
  });
  expect(config).toMatchObject({
    port: 65_535,
    metricsToken: '.'.repeat(20),
    backupRetention: { days: 1, months: 120 },
    drainSeconds: 60,
    trustProxyHops: 10,
    legalName: 'न'.repeat(200),
    phonepeWebhookSecret: 'n'.repeat(13),
    razorpayWebhookSecrets: ['n'.repeat(200), 'm'.repeat(13)],
    mailFrom: 'post@nivida.example',
  });
});

test('a refusal never repeats a password', () => {
  expect(refusal({ MAIL_URL: 'imap://user:secret@mail.example' })).not.toContain('secret');
  expect(refusal({ OTP_PEPPER: 'secret' })).not.toContain('secret');
});
